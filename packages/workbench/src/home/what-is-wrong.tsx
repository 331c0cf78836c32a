import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { paths } from "../app/paths.ts";
import { useServer } from "../connection/server.tsx";

/** The checks that fail, if any, before a person finds out by talking. */
export function WhatIsWrong() {
  const { client } = useServer();
  const { data } = useQuery({ queryKey: ["doctor"], queryFn: () => client.doctor(), staleTime: 60_000 });
  const failing = data?.checks.filter(({ ok }) => ok === false) ?? [];
  if (failing.length === 0) return null;
  return (
    <ul className="plain-list">
      {failing.map(({ id, title, detail, remedy }) => (
        <li key={id} className="note">
          {title}: {detail} {remedy} <Link to={paths.status}>All checks</Link>
        </li>
      ))}
    </ul>
  );
}
