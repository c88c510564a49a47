//! A web server whose handlers are Erlang functions: `cargo run --example web`, then `curl localhost:8080/count/apples`.
//!
//! axum accepts, Erlang answers: each request is a call in a process of its own, which the runtime's worker awaits. A client that
//! goes away drops the future, and with it ends the process. A handler that fails is a 500, and nobody else notices.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use erlet::{Error, Vm};
use tokio::net::TcpListener;

const SITE: &str = r#"
-module(site).
-export([start/0, handle/2]).

%% What is counted lives in a process.
start() ->
    register(counter, spawn(fun() -> count(#{}) end)),
    ok.

count(Counts) ->
    receive
        {Client, Ref, What} ->
            Now = maps:get(What, Counts, 0) + 1,
            Client ! {Ref, Now},
            count(Counts#{What => Now})
    end.

handle(<<"hello">>, Name) -> {ok, <<"Hello, ", Name/binary, "!">>};
handle(<<"count">>, What) ->
    Ref = make_ref(),
    counter ! {self(), Ref, What},
    receive {Ref, Count} -> {ok, integer_to_binary(Count)} after 1000 -> {error, 503} end;
handle(<<"divide">>, Number) -> {ok, integer_to_binary(100 div binary_to_integer(Number))};
handle(_, _) -> {error, 404}.
"#;

/// A machine with the site's code, and its routes.
fn site() -> Result<Router, Error> {
    let vm = Vm::builder().build()?;
    vm.load_source("site.erl", SITE)?;
    let () = vm.call("site", "start", ())?;
    Ok(Router::new().route("/{handler}/{argument}", get(handle)).with_state(vm))
}

async fn handle(
    State(vm): State<Vm>,
    Path((handler, argument)): Path<(String, String)>,
) -> Result<String, (StatusCode, String)> {
    let answer = vm.call_async::<Result<String, u16>>("site", "handle", (handler, argument)).await;
    match answer {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(status)) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            Err((status, status.to_string()))
        }
        // The log has the stack trace; the client is told what an Erlang shell would show.
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    println!("listening on http://{}", listener.local_addr()?);
    axum::serve(listener, site()?).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    /// The status and the body of the answer to a request.
    async fn request(address: std::net::SocketAddr, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let request = format!("GET {path} HTTP/1.1\r\nHost: erlet\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("answered");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, body.to_owned())
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn requests_are_answered_by_erlang() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("bound");
        tokio::spawn(async move { axum::serve(listener, site().expect("built")).await });

        assert_eq!(request(address, "/hello/Joe").await, (200, "Hello, Joe!".to_owned()));
        assert_eq!(request(address, "/nothing/here").await.0, 404);
        let (status, body) = request(address, "/divide/0").await;
        assert_eq!(status, 500);
        assert!(body.contains("evaluating an arithmetic expression"), "{body}");

        let clients: Vec<_> =
            (0..50).map(|_| tokio::spawn(async move { request(address, "/count/apples").await })).collect();
        let mut counts = Vec::new();
        for client in clients {
            let (status, body) = client.await.expect("no panic");
            assert_eq!(status, 200);
            counts.push(body.parse::<u32>().expect("a number"));
        }
        counts.sort_unstable();
        assert_eq!(counts, (1..=50).collect::<Vec<_>>());
    }
}
