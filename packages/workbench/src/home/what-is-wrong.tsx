import { counted } from "@bridle/protocol/text";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";

/** The checks that fail, if any, before a person finds out by talking. A script needs no credentials, so they are folded for one. */
export function WhatIsWrong() {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["doctor"], queryFn: () => client.doctor(), staleTime: 60_000 });
  const status = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  const failing = data?.checks.filter(({ ok }) => ok === false) ?? [];
  const list = failing.length > 0 && (
    <ul className="plain-list">
      {failing.map(({ id, title, detail, remedy }) => (
        <li key={id} className="note">
          {title}: {detail} {remedy} <Link to={paths.status}>All checks</Link>
        </li>
      ))}
    </ul>
  );
  if (!status.data?.rehearsed) return status.data && list;
  return (
    <>
      <p>A script answers in place of the model of every agent, so talking and tests cost nothing.</p>
      {list && (
        <details>
          <summary className="muted">
            {counted(failing.length, "check")} {failing.length === 1 ? "fails" : "fail"}. A model may need what is
            missing, and the script does not.
          </summary>
          {list}
        </details>
      )}
    </>
  );
}
