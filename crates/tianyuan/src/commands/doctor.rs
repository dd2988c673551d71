//! `tianyuan doctor`: is everything in order that the server needs?

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::statvfs::statvfs;
use nix::unistd::{AccessFlags, access};
use store::replica::Found;
use store::{Paging, Store};
use web::i18n::Language;

use super::database::{self, DATABASE};
use crate::backup::automatic;
use crate::failure::Failure;
use crate::output;

/// Below this there is no room for a day of events and their log.
const DISK_LEAST: u64 = 200 * 1024 * 1024;
/// Below this it is time to make room.
const DISK_LOW: u64 = 2 * 1024 * 1024 * 1024;
/// Enough for five thousand open streams, as many phones that ask, and the database.
const HANDLES: u64 = 16_384;
/// A replica that is further behind, in seconds, is of little use.
const BEHIND: f64 = 30.0;
/// How far the clocks of this machine and of the database may be apart.
const APART: TimeDelta = TimeDelta::seconds(2);
/// How long a change may be in no backup before somebody should look why.
const UNSAVED: TimeDelta = TimeDelta::days(1);

/// Look whether everything is in order that the server needs; exit 1 when something wants attention, 2
/// when the server cannot work like this.
///
/// Nothing is changed or started. What lies in the database is looked at while the server runs, or with
/// --database-url.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: database::Args,
    /// The folder of the backups that the server makes by itself [default: as with serve].
    #[arg(long, value_name = "DIR", env = "TIANYUAN_BACKUP_DIR")]
    backup_dir: Option<PathBuf>,
    /// The replica that servers read public pages from.
    #[arg(
        long,
        value_name = "URL",
        env = "DATABASE_REPLICA_URL",
        hide_env_values = true
    )]
    database_replica_url: Option<String>,
    /// The language of the sentences [default: by LANG].
    #[arg(long, value_name = "zh|en")]
    lang: Option<String>,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Fine,
    Attention,
    Broken,
}

/// What was found, in the language that is asked for.
struct Findings {
    language: Language,
    lines: Vec<(State, String)>,
}

impl Findings {
    fn say(&mut self, state: State, chinese: impl Into<String>, english: impl Into<String>) {
        let said = match self.language {
            Language::Chinese => chinese.into(),
            Language::English => english.into(),
        };
        self.lines.push((state, said));
    }

    fn fine(&mut self, chinese: impl Into<String>, english: impl Into<String>) {
        self.say(State::Fine, chinese, english);
    }

    fn attention(&mut self, chinese: impl Into<String>, english: impl Into<String>) {
        self.say(State::Attention, chinese, english);
    }

    fn broken(&mut self, chinese: impl Into<String>, english: impl Into<String>) {
        self.say(State::Broken, chinese, english);
    }

    fn worst(&self) -> State {
        let states = self.lines.iter().map(|(state, _)| *state);
        states.max().unwrap_or(State::Fine)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (state, said) in &self.lines {
            let mark = match (state, self.language) {
                (State::Fine, Language::Chinese) => "正常",
                (State::Fine, Language::English) => "ok   ",
                (State::Attention, Language::Chinese) => "注意",
                (State::Attention, Language::English) => "look ",
                (State::Broken, Language::Chinese) => "错误",
                (State::Broken, Language::English) => "wrong",
            };
            text.extend([mark, "  ", said, "\n"]);
        }
        text
    }
}

/// The language of a locale's name, as `zh_CN.UTF-8`.
fn language(asked: Option<&str>) -> Language {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = asked
        .map(str::to_owned)
        .or_else(|| set("LC_ALL"))
        .or_else(|| set("LC_MESSAGES"))
        .or_else(|| set("LANG"));
    match locale {
        Some(locale) if locale.to_ascii_lowercase().starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<(), Failure> {
    let mut found = Findings {
        language: language(args.lang.as_deref()),
        lines: Vec::new(),
    };
    let version = env!("CARGO_PKG_VERSION");
    found.fine(
        format!("这是 Tianyuan {version}。"),
        format!("This is Tianyuan {version}."),
    );
    let folder = args.database.data_dir();
    let given = args.database.url();
    if given.is_none() {
        data_folder(&mut found, &folder);
        programs(&mut found, &folder);
    }
    handles(&mut found);
    let named = args.backup_dir.clone().filter(|dir| !dir.as_os_str().is_empty());
    let backups = named.or_else(|| given.is_none().then(|| automatic::own_folder(&folder)));
    let running = private_postgres::running(&folder).map(|running| running.database_url(DATABASE));
    let replica = args.database_replica_url.as_deref().filter(|url| !url.is_empty());
    match given.or(running) {
        Some(url) => database::runtime()?.block_on(look_into(&mut found, &url, backups.as_deref(), replica)),
        None => found.attention(
            format!(
                "数据目录 {} 上没有服务器在运行，未检查数据库；请启动服务器后再次检查。",
                folder.display()
            ),
            format!(
                "No server runs on {}, so the database was not looked at: start the server and ask again.",
                folder.display()
            ),
        ),
    }
    output::answer(&found.text())?;
    match found.worst() {
        State::Fine => Ok(()),
        State::Attention => Err(Failure::No(Vec::new())),
        State::Broken => Err(Failure::Input(Vec::new())),
    }
}

/// Whether the folder is there, is ours and nobody else's, and has room.
fn data_folder(found: &mut Findings, folder: &Path) {
    let shown = folder.display();
    match fs::metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return found.attention(
                format!("数据目录 {shown} 还不存在，服务器首次启动时会建立。"),
                format!(
                    "The data folder {shown} is not there yet; the server makes it when it starts first."
                ),
            );
        }
        Err(error) => {
            return found.broken(
                format!("数据目录 {shown} 无法读取（{error}）；请以运行服务器的用户检查，或更正目录权限。"),
                format!(
                    "The data folder {shown} cannot be read ({error}): ask as the user who runs the server, or mend its rights."
                ),
            );
        }
        Ok(there) if !there.is_dir() => {
            return found.broken(
                format!("{shown} 不是目录；请用 --data-dir 另选。"),
                format!("{shown} is no folder: name another with --data-dir."),
            );
        }
        Ok(there) => {
            let mode = there.permissions().mode() & 0o777;
            if access(folder, AccessFlags::W_OK | AccessFlags::X_OK).is_err() {
                found.broken(
                    format!(
                        "当前用户不能写入数据目录 {shown}，其所有者为用户 {}；请以该用户运行服务器，或更改所有者。",
                        there.uid()
                    ),
                    format!(
                        "This user may not write into the data folder {shown}, which belongs to user {}: run the server as that user, or change the owner.",
                        there.uid()
                    ),
                );
            } else if mode & 0o022 != 0 {
                found.broken(
                    format!("其他用户可以写入数据目录 {shown}（权限 {mode:o}）；请执行 chmod go-w。"),
                    format!("Others may write into the data folder {shown} (mode {mode:o}): chmod go-w it."),
                );
            } else {
                found.fine(
                    format!("数据目录 {shown} 可以写入，其他用户不能写入。"),
                    format!("The data folder {shown} can be written by this user, and by no other."),
                );
            }
        }
    }
    room(found, folder);
}

/// How much room is left where the data lies.
fn room(found: &mut Findings, folder: &Path) {
    let Ok(disk) = statvfs(folder) else {
        return;
    };
    let free = disk.blocks_available() * disk.fragment_size();
    let mebibytes = free / (1024 * 1024);
    let chinese = format!("数据目录所在磁盘剩余 {mebibytes} MiB");
    let english = format!("{mebibytes} MiB are free where the data folder lies");
    if free < DISK_LEAST {
        found.broken(
            format!("{chinese}，不够使用；请腾出空间，磁盘写满后成绩无法登记。"),
            format!(
                "{english}, which is too little: make room, for no result can be entered on a full disk."
            ),
        );
    } else if free < DISK_LOW {
        found.attention(
            format!("{chinese}，不多了；请尽快腾出空间。"),
            format!("{english}, which is little: make room soon."),
        );
    } else {
        found.fine(format!("{chinese}。"), format!("{english}."));
    }
}

/// Whether there is a PostgreSQL for the cluster in the folder.
fn programs(found: &mut Findings, folder: &Path) {
    match private_postgres::programs_for(folder) {
        Ok((dir, major)) => found.fine(
            format!("PostgreSQL {major} 的程序在 {}。", dir.display()),
            format!("The programs of PostgreSQL {major} are in {}.", dir.display()),
        ),
        Err(error) => {
            let said = error.to_string().replace('\n', " ");
            found.broken(format!("PostgreSQL 不可用：{said}"), said);
        }
    }
}

/// Whether as many connections can be open as a full hall makes.
fn handles(found: &mut Findings) {
    let Ok((_, most)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return;
    };
    if most < HANDLES {
        found.attention(
            format!(
                "本进程最多打开 {most} 个文件，观众多时不够；请提高上限（ulimit -n {HANDLES}，systemd 中为 LimitNOFILE）。"
            ),
            format!(
                "A process here may open {most} files, too few for a full hall: raise it (ulimit -n {HANDLES}, LimitNOFILE of systemd)."
            ),
        );
    } else {
        found.fine(
            format!("本进程可以打开 {most} 个文件。"),
            format!("A process here may open {most} files."),
        );
    }
}

/// What lies in the database.
async fn look_into(found: &mut Findings, url: &str, backups: Option<&Path>, replica: Option<&str>) {
    let store = match Store::connect(url, 2).await {
        Ok(store) => store,
        Err(error) => {
            let error = database::chain(&error);
            return found.broken(
                format!("数据库没有应答（{error}）；请检查地址，并确认数据库在运行。"),
                format!("The database does not answer ({error}): is the address right, and does it run?"),
            );
        }
    };
    if let Err(error) = look_into_tables(found, &store, backups).await {
        let error = database::chain(&error);
        found.broken(
            format!("数据库检查未能完成：{error}。"),
            format!("The database could not be looked at to the end: {error}."),
        );
    }
    if let Some(url) = replica {
        look_at_replica(found, &store, url).await;
    }
    store.close().await;
}

/// Whether what is named as the replica follows the database, and how far it is behind.
async fn look_at_replica(found: &mut Findings, store: &Store, url: &str) {
    let looked = match store.clone().with_replica(url, 1) {
        Ok(store) => store.look_at_replica().await,
        Err(error) => Err(error),
    };
    match looked {
        Ok(Found::Follows(lag)) if lag.seconds > BEHIND => found.attention(
            format!("只读副本落后 {:.0} 秒（{} 字节），公开页面暂由主库读取；请检查副本的网络和磁盘。", lag.seconds, lag.bytes),
            format!(
                "The replica is {:.0} seconds behind ({} bytes), so public pages are read from the first database: look at its network and its disk.",
                lag.seconds, lag.bytes
            ),
        ),
        Ok(Found::Follows(lag)) => found.fine(
            format!("只读副本跟随主库，落后 {} 字节。", lag.bytes),
            format!("The replica follows; {} bytes are missing.", lag.bytes),
        ),
        Ok(Found::TakesChanges) => found.broken(
            "DATABASE_REPLICA_URL 所指的数据库不是只读副本，服务器不会读取它；请改为副本的地址。",
            "What DATABASE_REPLICA_URL names takes changes itself, so it is not read: name a streaming replica.",
        ),
        Ok(Found::OfAnother) => found.broken(
            "只读副本跟随的是另一个数据库，服务器不会读取它；请改为本数据库副本的地址。",
            "The replica follows another database, so it is not read: name the replica of this one.",
        ),
        Err(error) => {
            let error = database::chain(&error);
            found.attention(
                format!("只读副本没有应答（{error}），公开页面由主库读取；请启动副本。"),
                format!("The replica does not answer ({error}), so public pages are read from the first database: start it."),
            );
        }
    }
}

async fn look_into_tables(found: &mut Findings, store: &Store, backups: Option<&Path>) -> store::Result<()> {
    let server = store.server().await?;
    found.fine(
        format!("数据库有应答，版本为 PostgreSQL {}。", server.version),
        format!("The database answers; it is PostgreSQL {}.", server.version),
    );
    clock(found, server.now);
    let (known, there) = (server.migrations_known, server.migrations_there);
    if there > known {
        found.broken(
            format!("数据库属于更新的版本（迁移 {there}，本程序为 {known}）；请使用更新的程序。"),
            format!(
                "The database is of a newer version (migration {there}, this program knows {known}): use the newer program."
            ),
        );
        return Ok(());
    }
    if there < known {
        found.attention(
            format!("数据表为旧版本（迁移 {there}，本程序为 {known}），本程序的服务器启动时会更新。"),
            format!(
                "The tables are of an older version (migration {there}, this program knows {known}); the server brings them up to date when it starts."
            ),
        );
        return Ok(());
    }
    found.fine(
        format!("数据表为最新版本（迁移 {there}）。"),
        format!("The tables are up to date (migration {there})."),
    );
    if let Some(folder) = backups {
        last_backup(found, store, folder).await?;
    }
    logs(found, store).await
}

/// Whether what was changed is in a backup that the server has made by itself.
async fn last_backup(found: &mut Findings, store: &Store, folder: &Path) -> store::Result<()> {
    let last = automatic::last(folder);
    let unsaved = store.first_act_after(last).await?;
    let shown = folder.display();
    let time = |at: DateTime<Utc>| at.format("%Y-%m-%d %H:%M:%S UTC").to_string();
    match (unsaved.filter(|at| Utc::now() - *at > UNSAVED), last) {
        (Some(at), _) => found.attention(
            format!(
                "{} 以来的改动没有自动备份（{shown}）；请检查服务器是否在运行、日志中有无备份失败。",
                time(at)
            ),
            format!(
                "What was changed since {} is in no automatic backup ({shown}): does the server run, and does its log say why?",
                time(at)
            ),
        ),
        (None, Some(last)) => found.fine(
            format!("最近一次自动备份为 {}（{shown}）。", time(last)),
            format!("The last automatic backup is of {} ({shown}).", time(last)),
        ),
        (None, None) => found.fine(
            format!("尚无需要自动备份的改动（{shown}）。"),
            format!("Nothing has been waiting for an automatic backup yet ({shown})."),
        ),
    }
    Ok(())
}

/// Whether this machine and the database have the same time.
fn clock(found: &mut Findings, theirs: DateTime<Utc>) {
    let ours = Utc::now();
    let apart = (ours - theirs).abs();
    let now = ours.format("%Y-%m-%d %H:%M:%S");
    if apart > APART {
        let seconds = apart.num_seconds();
        found.attention(
            format!("本机时钟为 {now} UTC，与数据库相差 {seconds} 秒；请为两台机器对时（NTP）。"),
            format!(
                "The clock says {now} UTC, {seconds} seconds from that of the database: let both machines be set (NTP)."
            ),
        );
    } else {
        found.fine(
            format!("时钟为 {now} UTC，与数据库一致。"),
            format!("The clock says {now} UTC, and so does the database."),
        );
    }
}

/// Whether the log of each event is whole, and none is ahead of the clock.
async fn logs(found: &mut Findings, store: &Store) -> store::Result<()> {
    let (mut events, mut acts, mut broken) = (0, 0, false);
    let mut offset = 0;
    loop {
        let mut tx = store.snapshot().await?;
        let page = Paging {
            offset,
            limit: Paging::MOST,
        };
        let part = store::events::list(&mut tx, store::events::Listed::All, page).await?;
        for item in &part.items {
            let Some(event) = store::events::find(&mut tx, &item.id.to_string()).await? else {
                continue;
            };
            let checked = store::log::check(&mut tx, &event).await?;
            events += 1;
            acts += checked.acts;
            if let Some(first) = checked.broken.first() {
                broken = true;
                found.broken(
                    format!(
                        "赛事“{}”的日志不完整（{}，共 {} 处）；请停止使用并从备份核对。",
                        event.name,
                        first.code(),
                        checked.broken.len()
                    ),
                    format!(
                        "The log of “{}” is not whole ({}, {} places): stop, and compare it with a backup.",
                        event.name,
                        first.code(),
                        checked.broken.len()
                    ),
                );
            }
        }
        let Ok(read) = u32::try_from(part.items.len()) else {
            break;
        };
        offset += read;
        if read == 0 || u64::from(offset) >= part.total {
            break;
        }
    }
    if !broken {
        found.fine(
            format!("{events} 个赛事的日志完整，共 {acts} 条记录，哈希链无误。"),
            format!(
                "The logs of {events} events are whole: {acts} acts, each hash follows from the one before."
            ),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_that_of_the_locale() {
        for (asked, language_of) in [
            ("zh", Language::Chinese),
            ("zh_CN.UTF-8", Language::Chinese),
            ("en_GB.UTF-8", Language::English),
            ("C", Language::English),
        ] {
            assert_eq!(language(Some(asked)), language_of, "{asked}");
        }
    }

    #[test]
    fn a_folder_that_others_write_into_is_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        for (mode, state) in [(0o700, State::Fine), (0o755, State::Fine), (0o777, State::Broken)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("a mode");
            let mut found = Findings {
                language: Language::English,
                lines: Vec::new(),
            };
            data_folder(&mut found, folder.path());
            assert_eq!(found.lines[0].0, state, "{mode:o}: {}", found.text());
        }
    }
}
