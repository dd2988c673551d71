//! Questions that come together. Every request asks who sent it and what that person may do here; when
//! many come at the same time, those that come while a question is being answered are asked as one after
//! it. So each answer is as of a moment after it was asked for, as if everybody had asked alone, and
//! nothing is remembered: a right that was taken away is gone with the next request.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::PgPool;
use tokio::sync::oneshot;

use crate::{Error, Result, Store};

/// The answers to some questions; a question without one has none.
pub(crate) type Answers<Q, A> = Pin<Box<dyn Future<Output = Result<HashMap<Q, A>>> + Send>>;

/// Asks the database all of these in one statement.
pub(crate) type Asks<Q, A> = fn(PgPool, Vec<Q>) -> Answers<Q, A>;

/// An answer, or that the database cannot answer now.
type Told<A> = std::result::Result<Option<A>, Unanswered>;

/// The database cannot answer now, and asking it once more would not help.
#[derive(Clone, Copy, Debug)]
struct Unanswered;

/// Who waits for the answer to what.
type Waiting<Q, A> = Vec<(Q, oneshot::Sender<Told<A>>)>;

/// These questions take a millisecond. A connection that says nothing for so long is lost, or waits for what
/// others have locked: nobody else waits for it.
const PATIENCE: Duration = Duration::from_secs(8);

/// Questions of one kind.
pub(crate) struct Asked<Q, A> {
    asks: Asks<Q, A>,
    patience: Duration,
    /// Those that wait while others are being answered; `None` when nothing is being asked.
    waiting: Arc<Mutex<Option<Waiting<Q, A>>>>,
}

impl<Q, A> Clone for Asked<Q, A> {
    fn clone(&self) -> Self {
        Self {
            asks: self.asks,
            patience: self.patience,
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
            patience: PATIENCE,
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
            let ends = Ends {
                asked: self.clone(),
                over: false,
            };
            tokio::spawn(ends.answer_all(store.clone()));
        }
        match told.await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(Unanswered)) => Err(Error::Database(sqlx::Error::PoolTimedOut)),
            // One of the questions may be what could not be answered: each learns of its own.
            Err(_) => {
                let mut answers = self.answers(store, vec![question.clone()]).await?;
                Ok(answers.remove(&question))
            }
        }
    }

    /// The answers to some questions, if they come in time.
    async fn answers(&self, store: &Store, questions: Vec<Q>) -> Result<HashMap<Q, A>> {
        let asking = async { (self.asks)(store.pool()?, questions).await };
        let given_up = || Err(Error::Database(sqlx::Error::PoolTimedOut));
        tokio::select! {
            biased;
            answers = tokio::time::timeout(self.patience, asking) => answers.unwrap_or_else(|_| given_up()),
            () = store.pulse().gone() => given_up(),
        }
    }
}

/// Whoever answers; lets all that wait ask alone when nobody goes on, for a panic or the end of the server.
struct Ends<Q, A> {
    asked: Asked<Q, A>,
    over: bool,
}

impl<Q, A> Ends<Q, A>
where
    Q: Clone + Eq + Hash + Send + Sync + 'static,
    A: Clone + Send + Sync + 'static,
{
    async fn answer_all(mut self, store: Store) {
        while let Some(waiting) = self.asked.take() {
            let questions: HashSet<Q> = waiting.iter().map(|(question, _)| question.clone()).collect();
            match self.asked.answers(&store, questions.into_iter().collect()).await {
                Ok(answers) => {
                    for (question, tells) in waiting {
                        let _ = tells.send(Ok(answers.get(&question).cloned()));
                    }
                }
                Err(error) if error.is_transient() => {
                    tracing::debug!(%error, asked = waiting.len(), "not answered");
                    for (_, tells) in waiting {
                        let _ = tells.send(Err(Unanswered));
                    }
                }
                Err(_) => {}
            }
        }
        self.over = true;
    }
}

impl<Q, A> Drop for Ends<Q, A> {
    fn drop(&mut self) {
        if !self.over {
            *self.asked.lock() = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// What the stand-in for the database holds, and how often it was asked.
    static HELD: AtomicU32 = AtomicU32::new(1);
    static CALLS: AtomicU32 = AtomicU32::new(0);

    /// A store whose database is never asked.
    fn store() -> Store {
        Store::from(PgPool::connect_lazy("postgres://nobody@localhost/nothing").expect("an address"))
    }

    async fn all<A>(asked: &Asked<u32, A>, store: &Store, questions: &[u32]) -> Vec<Result<Option<A>>>
    where
        A: Clone + Send + Sync + 'static,
    {
        let asking: Vec<_> = questions
            .iter()
            .map(|question| {
                let (asked, store, question) = (asked.clone(), store.clone(), *question);
                tokio::spawn(async move { asked.ask(&store, question).await })
            })
            .collect();
        let mut answers = Vec::new();
        for answer in asking {
            answers.push(answer.await.expect("no panic here"));
        }
        answers
    }

    #[tokio::test]
    async fn an_answer_is_as_of_after_its_question_and_many_questions_are_one() {
        let (store, asked) = (
            store(),
            Asked::by(|_, questions: Vec<u32>| {
                Box::pin(async move {
                    CALLS.fetch_add(1, Ordering::SeqCst);
                    let held = HELD.load(Ordering::SeqCst);
                    tokio::time::sleep(Duration::from_millis(400)).await;
                    Ok(questions
                        .into_iter()
                        .filter(|question| *question < 9)
                        .map(|question| (question, (question, held)))
                        .collect())
                })
            }),
        );
        let first = all(&asked, &store, &[1]);
        let then = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            HELD.store(2, Ordering::SeqCst);
            all(&asked, &store, &[1, 2, 3, 1, 2, 9]).await
        };
        let (first, then) = tokio::join!(first, then);
        let answers = |all: Vec<Result<Option<(u32, u32)>>>| -> Vec<_> {
            all.into_iter().map(|answer| answer.expect("answered")).collect()
        };
        assert_eq!(answers(first), [Some((1, 1))]);
        let two = |question| Some((question, 2));
        assert_eq!(answers(then), [two(1), two(2), two(3), two(1), two(2), None]);
        assert_eq!(CALLS.load(Ordering::SeqCst), 2);
        assert!(asked.lock().is_none());
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let store = store();
        let silent: Asked<u32, ()> = Asked {
            patience: Duration::from_millis(50),
            ..Asked::by(|_, _| Box::pin(std::future::pending()))
        };
        let answers = all(&silent, &store, &[1, 2, 3]).await;
        let all_given_up = |answers: Vec<Result<Option<()>>>| {
            let given_up = |answer: Result<Option<()>>| answer.is_err_and(|error| error.is_transient());
            answers.into_iter().all(given_up)
        };
        assert!(all_given_up(answers));
        // When nobody goes on answering, each asks alone, and the next ones are answered again.
        let breaks: Asked<u32, u32> = Asked::by(|_, questions| {
            assert!(questions.len() == 1, "a question that breaks what answers it");
            Box::pin(async move { Ok(questions.into_iter().map(|one| (one, one)).collect()) })
        });
        for _ in 0..2 {
            let answers = all(&breaks, &store, &[1, 2, 3]).await;
            let answers: Vec<_> = answers
                .into_iter()
                .map(|answer| answer.expect("answered"))
                .collect();
            assert_eq!(answers, [Some(1), Some(2), Some(3)]);
        }
        // What cannot be answered is told to whoever asked it.
        let unreadable: Asked<u32, u32> = Asked::by(|_, questions| {
            Box::pin(async move {
                if questions.contains(&3) {
                    return Err(Error::Unreadable("3".to_owned()));
                }
                Ok(questions.into_iter().map(|one| (one, one)).collect())
            })
        });
        let answers = all(&unreadable, &store, &[1, 2, 3]).await;
        let fine: Vec<bool> = answers.iter().map(Result::is_ok).collect();
        assert_eq!(fine, [true, true, false]);
    }
}
