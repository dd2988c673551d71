//! What a criterion says of an entry.

use std::cmp::Ordering;

use super::ratio::Ratio;
use crate::settings::Criterion;

/// The value of one criterion for one entry, exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number, or halves of one: scores, sums of scores, counts, ratings, numbers, lots.
    Number(Ratio),
    /// A total score (总得分): any fraction, printed with two decimals.
    Total(Ratio),
    /// Numbers compared one after the other, the first difference deciding; larger is better.
    List(Vec<i64>),
    /// Places of opponents beaten, the best first, compared one after the other; smaller is
    /// better, and so is one more.
    Places(Vec<u32>),
    /// The criterion says nothing of this entry: no rating, no lot, or, in a criterion that only
    /// looks inside a tie, no tie or one that it cannot judge.
    Nothing,
}

impl Value {
    pub(super) fn whole(number: impl Into<i64>) -> Self {
        Self::Number(Ratio::from(number.into()))
    }

    /// Exactly, for programs: `19`, `21/2`, `279/11`, `12,9,4`; nothing when there is no value.
    pub fn exact(&self) -> Option<String> {
        match self {
            Self::Number(ratio) | Self::Total(ratio) => Some(ratio.to_string()),
            Self::List(numbers) => Some(joined(numbers, ",")),
            Self::Places(places) => Some(joined(places, ",")),
            Self::Nothing => None,
        }
    }

    /// For people: halves as `10.5`, a total score with two decimals, lists with spaces, `–` when
    /// there is no value. Two entries may print the same and still be apart: places go by the
    /// exact value.
    pub fn printed(&self) -> String {
        match self {
            Self::Number(ratio) => match ratio.denominator() {
                1 => ratio.to_string(),
                2 => {
                    let sign = if ratio.numerator() < 0 { "-" } else { "" };
                    format!("{sign}{}.5", ratio.numerator().abs() / 2)
                }
                _ => ratio.two_decimals(),
            },
            Self::Total(ratio) => ratio.two_decimals(),
            Self::List(numbers) if !numbers.is_empty() => joined(numbers, " "),
            Self::Places(places) if !places.is_empty() => joined(places, " "),
            Self::List(_) | Self::Places(_) | Self::Nothing => "–".to_owned(),
        }
    }
}

fn joined<T: ToString>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

/// How two values of one criterion compare: [`Less`](Ordering::Less) stands before. An entry of
/// which the criterion says nothing stands after those of which it says something.
pub(super) fn compare(criterion: Criterion, a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(a) | Value::Total(a), Value::Number(b) | Value::Total(b)) => match criterion {
            Criterion::FewerWarnings | Criterion::Number | Criterion::Lots => a.cmp(b),
            _ => b.cmp(a),
        },
        (Value::List(a), Value::List(b)) => b.cmp(a),
        // Where one list ends the other names one more opponent beaten: that one stands before.
        (Value::Places(a), Value::Places(b)) => {
            let padded = |places: &[u32], at: usize| places.get(at).copied().unwrap_or(u32::MAX);
            (0..a.len().max(b.len()))
                .map(|at| padded(a, at).cmp(&padded(b, at)))
                .find(|ordering| ordering.is_ne())
                .unwrap_or(Ordering::Equal)
        }
        (a, b) => (*a == Value::Nothing).cmp(&(*b == Value::Nothing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_print_as_halves_and_totals_with_two_decimals() {
        let shown = |value: Value| (value.exact(), value.printed());
        assert_eq!(
            shown(Value::Number(Ratio::new(11, 2))),
            (Some("11/2".into()), "5.5".into())
        );
        assert_eq!(
            shown(Value::Number(Ratio::new(-1, 2))),
            (Some("-1/2".into()), "-0.5".into())
        );
        assert_eq!(shown(Value::whole(19)), (Some("19".into()), "19".into()));
        assert_eq!(
            shown(Value::Total(Ratio::from(19))),
            (Some("19".into()), "19.00".into())
        );
        assert_eq!(
            shown(Value::List(vec![12, 9])),
            (Some("12,9".into()), "12 9".into())
        );
        assert_eq!(shown(Value::Nothing), (None, "–".into()));
    }

    #[test]
    fn one_more_opponent_beaten_stands_before() {
        let order = |a: &[u32], b: &[u32]| {
            compare(
                Criterion::BestBeaten,
                &Value::Places(a.to_vec()),
                &Value::Places(b.to_vec()),
            )
        };
        assert_eq!(order(&[2, 7], &[2, 9]), Ordering::Less);
        assert_eq!(order(&[2, 7], &[2]), Ordering::Less);
        assert_eq!(order(&[3, 4, 5], &[2]), Ordering::Greater);
        assert_eq!(order(&[], &[]), Ordering::Equal);
    }
}
