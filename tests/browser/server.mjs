// The real server, with a private PostgreSQL in a folder that goes away with it.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");
const binary = process.env.TIANYUAN ?? path.join(target, "debug", "tianyuan");

// Starts `tianyuan serve` on a free port and waits until it says where it is.
export async function serve(...args) {
  const data = mkdtempSync(path.join(tmpdir(), "tianyuan-browser-"));
  // PostgreSQL does not run as root: its own user has to reach the folder.
  chmodSync(data, 0o755);
  const environment = { ...process.env, TZ: "Asia/Shanghai" };
  delete environment.DATABASE_URL;
  const child = spawn(
    binary,
    ["serve", "--listen", "127.0.0.1:0", "--data-dir", path.join(data, "data"), ...args],
    { env: environment, stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      said += chunk;
      if (/\/setup\/\S+\n/.test(said)) resolve();
    });
    ended.then((code) => reject(new Error(`the server ended with ${code} before it was ready:\n${log}`)));
    setTimeout(() => reject(new Error(`the server was not ready in time:\n${log}`)), 60_000).unref();
  });
  const setup = said.match(/http:\/\/\S+\/setup\/\S+/)[0];
  return {
    base: new URL(setup).origin,
    setup,
    log: () => log,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export async function browser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

// A page that collects everything that goes wrong in it: scripts that fail, styles or scripts that
// the content security policy keeps out, answers of the server that are its own fault.
export async function watched(context, faults) {
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    // A refused request is logged by the browser too; the tests look at those themselves.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) {
      faults.push(`${page.url()}: ${message.text()}`);
    }
  });
  page.on("response", (response) => {
    if (response.status() >= 500) faults.push(`${response.url()}: ${response.status()}`);
  });
  return page;
}
