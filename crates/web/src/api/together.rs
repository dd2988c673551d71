//! Results that come together: many hands enter results of one round at the same time, and each would
//! wait for the log of the event, which takes one transaction after the other. So whoever comes while a
//! transaction is under way waits for the next one, which enters all that have come: one look at the
//! table, one chain of acts, one write to the disk. Whoever comes alone is not held up.
//!
//! Only what is plain goes this way: a board of the last published round, by somebody with an account.
//! Whatever else it is goes the ordinary way, one by one, and so does what was refused here.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use store::results::{self, BoardInput, BoardResult, ResultInput};
use store::{Actor, Role, result_links};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::model::BoardOut;
use super::results::expected;
use crate::errors::{Error, Problem, Result};
use crate::extract::IfMatch;
use crate::state::{AppState, change};

/// The most results that one transaction enters.
const MOST: usize = 128;
/// When fewer than this come together, the next ones are waited for.
const FEW: usize = 32;
/// So many moments at most, and of this length.
const MOMENTS: u32 = 5;
const MOMENT: Duration = Duration::from_millis(1);
/// A transaction that takes longer than a request may is given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A round of an event.
type Table = (Uuid, u32);

/// A result to be entered.
#[derive(Clone, Debug)]
pub struct Given {
    /// By whom.
    pub actor: Actor,
    /// Why.
    pub reason: Option<String>,
    /// The board.
    pub board: u32,
    /// What the caller has seen.
    pub if_match: IfMatch,
    /// Its result.
    pub input: ResultInput,
}

/// What became of it; `None` when it has to go the ordinary way.
type Answer = Option<Result<BoardResult>>;

#[derive(Debug)]
struct Waiting {
    given: Given,
    answer: oneshot::Sender<Answer>,
}

/// The results that wait, by round. A round is there while somebody enters what waits in it.
#[derive(Debug, Default)]
pub struct Together(Mutex<HashMap<Table, Vec<Waiting>>>);

impl Together {
    fn lock(&self) -> MutexGuard<'_, HashMap<Table, Vec<Waiting>>> {
        // Nothing in here is left half done by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what may be entered in one transaction: each board once, for a second result of a board
    /// follows on the first. When nothing waits, the round is forgotten.
    fn take(&self, table: Table) -> Vec<Waiting> {
        let mut tables = self.lock();
        let Some(waiting) = tables.get_mut(&table) else {
            return Vec::new();
        };
        let (mut taken, mut left): (Vec<Waiting>, Vec<Waiting>) = (Vec::new(), Vec::new());
        let mut boards = std::collections::HashSet::new();
        for one in waiting.drain(..) {
            let fits = taken.len() < MOST && boards.insert(one.given.board);
            if fits { &mut taken } else { &mut left }.push(one);
        }
        *waiting = left;
        if taken.is_empty() {
            tables.remove(&table);
        }
        taken
    }

    fn waiting(&self, table: Table) -> usize {
        self.lock().get(&table).map_or(0, Vec::len)
    }

    /// After so many were entered: those who were answered bring their next results in a moment, and a
    /// transaction for a few costs as much as one for many. Whoever comes alone waits for nobody.
    async fn wait_for_more(&self, table: Table, entered: usize) {
        let expected = entered + self.waiting(table);
        if (2..FEW).contains(&expected) {
            for _ in 0..MOMENTS {
                if self.waiting(table) >= expected {
                    return;
                }
                tokio::time::sleep(MOMENT).await;
            }
        }
    }
}

/// Enters a result together with those that come at the same time; `None` when it has to go the
/// ordinary way.
///
/// # Errors
/// As putting one result; `busy` when the database does not answer.
pub async fn put(state: &AppState, event: Uuid, round: u32, given: Given) -> Answer {
    let plain = given.input.black.is_none() && results::is_consistent(given.input);
    if !plain {
        return None;
    }
    let (answer, answered) = oneshot::channel();
    let table = (event, round);
    let waiting = Waiting { given, answer };
    let begins = {
        let mut tables = state.together.lock();
        if let Some(others) = tables.get_mut(&table) {
            others.push(waiting);
            false
        } else {
            tables.insert(table, vec![waiting]);
            true
        }
    };
    if begins {
        // In a task of its own: whoever began it may go away, and the others wait.
        tokio::spawn(enter_all(state.clone(), table));
    }
    // Given up with its transaction.
    answered.await.unwrap_or_else(|_| Some(Err(busy())))
}

fn busy() -> Error {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy").into()
}

async fn enter_all(state: AppState, table: Table) {
    let _forgets = ForgetsInPanic(Arc::clone(&state.together), table);
    loop {
        let waiting = state.together.take(table);
        if waiting.is_empty() {
            return;
        }
        let given: Vec<Given> = waiting.iter().map(|one| one.given.clone()).collect();
        let answers = tokio::select! {
            biased;
            answers = tokio::time::timeout(PATIENCE, enter(&state, table, &given)) => answers.ok(),
            () = state.store.pulse().gone() => None,
        };
        // What has no answer here is told by the dropped sender that the database does not answer.
        for (one, answer) in waiting.into_iter().zip(answers.into_iter().flatten()) {
            let _ = one.answer.send(answer);
        }
        state.together.wait_for_more(table, given.len()).await;
    }
}

/// Forgets a round when a transaction panics, so that the next one begins anew. Otherwise it was
/// forgotten with the last that waited, and somebody may have begun anew already.
struct ForgetsInPanic(Arc<Together>, Table);

impl Drop for ForgetsInPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().remove(&self.1);
        }
    }
}

/// Enters results in one transaction. When it is refused as a whole, each goes the ordinary way and
/// learns what is wrong with itself.
async fn enter(state: &AppState, table: Table, given: &[Given]) -> Vec<Answer> {
    match entered(state, table, given).await {
        Ok(answers) => answers,
        Err(store::Error::Refused(_)) => given.iter().map(|_| None).collect(),
        Err(error) => {
            tracing::warn!(cause = %error, results = given.len(), "results could not be entered together");
            // Whether they were kept is not known when the connection broke at the end.
            given.iter().map(|_| Some(Err(busy()))).collect()
        }
    }
}

async fn entered(state: &AppState, (event, round): Table, given: &[Given]) -> store::Result<Vec<Answer>> {
    let boards: Vec<u32> = given.iter().map(|one| one.board).collect();
    let (mut tx, table) = results::begin_last(&state.store, event, round, &boards).await?;
    let Some(table) = table else {
        return Ok(given.iter().map(|_| None).collect());
    };
    let arbiters = given.iter().any(|one| one.actor.role == Role::Arbiter);
    let by_two = arbiters && result_links::settings(&mut tx, event).await?.by_two;
    let mut answers: Vec<Answer> = Vec::new();
    // Each account's results are acts of its own, one after the other.
    let mut groups: Vec<(&Given, Vec<usize>, Vec<BoardInput>)> = Vec::new();
    for (index, one) in given.iter().enumerate() {
        let known = table.board(one.board);
        let ordinary = known.is_none() || (by_two && one.actor.role == Role::Arbiter);
        let Some((board, version)) = known.filter(|_| !ordinary) else {
            answers.push(None);
            continue;
        };
        let now = BoardOut::of(board, Some(version));
        match expected(&now, one.input, &one.if_match) {
            Err(error) => answers.push(Some(Err(error))),
            Ok(expected) => {
                answers.push(None);
                let input = BoardInput {
                    board: one.board,
                    expected,
                    input: one.input,
                };
                let same = |first: &Given| first.actor == one.actor && first.reason == one.reason;
                match groups.iter_mut().find(|(first, ..)| same(first)) {
                    Some((_, indices, inputs)) => {
                        indices.push(index);
                        inputs.push(input);
                    }
                    None => groups.push((one, vec![index], vec![input])),
                }
            }
        }
    }
    for (first, indices, inputs) in groups {
        let change = change(state, &first.actor, first.reason.as_deref());
        let put = results::put_locked(&mut tx, &change, &table, &inputs).await?;
        for (index, put) in indices.into_iter().zip(put) {
            answers[index] = Some(Ok(put));
        }
    }
    tx.commit().await?;
    Ok(answers)
}
