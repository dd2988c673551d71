//! Trap 4: a socket's path has at most 107 bytes, and the setting that holds it is a list.

use std::os::unix::fs::MetadataExt;

use private_postgres::start;

use crate::{Place, ask, mode, volatile};

#[tokio::test]
async fn a_folder_too_deep_for_a_socket_gets_a_short_one() {
    let place = Place::new();
    let data = place
        .path()
        .join("a-club-with-a-very-long-name".repeat(4))
        .join("data");
    for _ in 0..2 {
        let cluster = start(&volatile(data.clone())).await.unwrap();
        let socket_dir = cluster.socket_dir().to_path_buf();
        assert!(!socket_dir.starts_with(place.path()), "{}", socket_dir.display());
        assert!(socket_dir.join(".s.PGSQL.5432").as_os_str().len() <= 107);
        assert_eq!(mode(&socket_dir), 0o700);
        let owner = std::fs::metadata(cluster.data_dir().join("postgres"))
            .unwrap()
            .uid();
        assert_eq!(std::fs::metadata(&socket_dir).unwrap().uid(), owner);
        assert_eq!(
            ask(&cluster.database_url("postgres"), "select 'deep'").await,
            "deep"
        );
        cluster.stop().await.unwrap();
        assert!(!socket_dir.exists(), "it was left behind");
    }
}

#[tokio::test]
async fn the_longest_path_that_fits_is_used() {
    let place = Place::new();
    // The data folder, "/run", and "/.s.PGSQL.5432", which has 14 bytes.
    let room = 107 - 14 - "/run".len() - place.path().as_os_str().len() - 1;
    for (length, fits) in [(room, true), (room + 1, false)] {
        let data = place.path().join("x".repeat(length));
        let cluster = start(&volatile(data.clone())).await.unwrap();
        assert_eq!(cluster.socket_dir().starts_with(&data), fits, "{length}");
        assert_eq!(
            ask(&cluster.database_url("postgres"), "select 'fits'").await,
            "fits"
        );
        cluster.stop().await.unwrap();
    }
}

#[tokio::test]
async fn commas_quotes_and_blanks_in_the_folder_s_name_do_no_harm() {
    let place = Place::new();
    let data = place.path().join("go, \"天元\" & 'co' 100%");
    let cluster = start(&volatile(data.clone())).await.unwrap();
    assert!(cluster.socket_dir().starts_with(&data));
    assert_eq!(
        ask(&cluster.database_url("postgres"), "select 'odd'").await,
        "odd"
    );
    cluster.stop().await.unwrap();
}
