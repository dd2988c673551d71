//! Questions that come together. Every request asks who sent it and what that person may do here; when
//! many come at the same time, those that come while a question is being answered are asked as one after
//! it. So each answer is as of a moment after it was asked for, as if everybody had asked alone, and
//! nothing is remembered: a right that was taken away is gone with the next request.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqlx::PgPool;
use tokio::sync::oneshot;

use crate::{Result, Store};

/// The answers to some questions; a question without one has none.
pub(crate) type Answers<Q, A> = Pin<Box<dyn Future<Output = Result<HashMap<Q, A>>> + Send>>;

/// Asks the database all of these in one statement.
pub(crate) type Asks<Q, A> = fn(PgPool, Vec<Q>) -> Answers<Q, A>;

/// Who waits for the answer to what.
type Waiting<Q, A> = Vec<(Q, oneshot::Sender<Option<A>>)>;

/// Questions of one kind.
pub(crate) struct Asked<Q, A> {
    asks: Asks<Q, A>,
    /// Those that wait while others are being answered; `None` when nothing is being asked.
    waiting: Arc<Mutex<Option<Waiting<Q, A>>>>,
}

impl<Q, A> Clone for Asked<Q, A> {
    fn clone(&self) -> Self {
        Self {
            asks: self.asks,
            waiting: Arc::clone(&self.waiting),
        }
    }
}

impl<Q, A> fmt::Debug for Asked<Q, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asked")
    }
}

impl<Q, A> Asked<Q, A> {
    pub(crate) fn by(asks: Asks<Q, A>) -> Self {
        Self {
            asks,
            waiting: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Waiting<Q, A>>> {
        // Nothing in here is left half done by a panic.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all that wait; when nobody does, whoever comes next begins anew.
    fn take(&self) -> Option<Waiting<Q, A>> {
        let mut waiting = self.lock();
        let taken = waiting.take().filter(|taken| !taken.is_empty());
        if taken.is_some() {
            *waiting = Some(Vec::new());
        }
        taken
    }
}

impl<Q, A> Asked<Q, A>
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    A: Clone + Send + Sync + 'static,
{
    /// The answer to a question.
    ///
    /// # Errors
    /// Only of the database.
    pub(crate) async fn ask(&self, store: &Store, question: Q) -> Result<Option<A>> {
        let (tells, told) = oneshot::channel();
        let begins = {
            let mut waiting = self.lock();
            let begins = waiting.is_none();
            waiting.get_or_insert_default().push((question.clone(), tells));
            begins
        };
        if begins {
            // In a task of its own: whoever began may go away, and the others wait.
            tokio::spawn(self.clone().answer_all(store.clone()));
        }
        if let Ok(answer) = told.await {
            return Ok(answer);
        }
        // They could not be answered together; why, each learns alone.
        let mut answers = (self.asks)(store.pool()?, vec![question.clone()]).await?;
        Ok(answers.remove(&question))
    }

    async fn answer_all(self, store: Store) {
        let mut ends = Ends {
            asked: &self,
            over: false,
        };
        while let Some(waiting) = self.take() {
            let questions: HashSet<Q> = waiting.iter().map(|(question, _)| question.clone()).collect();
            let asking = async { (self.asks)(store.pool()?, questions.into_iter().collect()).await };
            let answers = tokio::select! {
                biased;
                answers = asking => answers,
                // What hangs on a connection that is frozen is never answered.
                () = store.pulse().gone() => continue,
            };
            let Ok(answers) = answers else { continue };
            for (question, tells) in waiting {
                let _ = tells.send(answers.get(&question).cloned());
            }
        }
        ends.over = true;
    }
}

/// Lets all that wait ask alone when nobody goes on answering them, for a panic or the end of the server.
struct Ends<'a, Q, A> {
    asked: &'a Asked<Q, A>,
    over: bool,
}

impl<Q, A> Drop for Ends<'_, Q, A> {
    fn drop(&mut self) {
        if !self.over {
            *self.asked.lock() = None;
        }
    }
}
