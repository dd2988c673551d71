//! The description of the API is a file of the project: a change of the API is seen in its diff.

use std::path::Path;

#[test]
fn the_description_in_docs_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let mut now = web::api::document().to_pretty_json().expect("a document");
    now.push('\n');
    if std::env::var_os("UPDATE_OPENAPI").is_some() {
        std::fs::write(&path, &now).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == now,
        "docs/openapi.json is not fresh: run UPDATE_OPENAPI=1 cargo test -p web --test openapi"
    );
}

#[test]
fn every_operation_says_what_it_answers_and_who_may_call_it() {
    let document = serde_json::to_value(web::api::document()).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() >= 17, "{}", paths.len());
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().expect("operations") {
            let at = format!("{method} {path}");
            let answers = operation["responses"].as_object().expect("answers");
            assert!(
                answers.keys().any(|status| status.starts_with('2')),
                "{at}: no success"
            );
            assert!(
                answers.contains_key("404") || path == "/api/v1/events",
                "{at}: no 404"
            );
            for (status, answer) in answers.iter().filter(|(status, _)| status.starts_with('4')) {
                assert!(
                    answer["content"]["application/problem+json"].is_object(),
                    "{at}: {status} is no problem"
                );
            }
            let guarded = operation["security"].is_array();
            assert!(guarded || method == "get", "{at}: who may call it?");
            assert!(operation["summary"].is_string(), "{at}: no summary");
        }
    }
}
