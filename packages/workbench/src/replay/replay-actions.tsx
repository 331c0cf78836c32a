import type { RunReplay } from "@bridle/client";
import { showHiddenInDocument } from "@bridle/protocol/text";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { paths } from "../addresses/paths.ts";
import { useServer } from "../connection/server.tsx";
import { Copyable } from "../parts/copyable.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { toTestCase } from "./test-case.ts";

/** The actions for a recorded run. */
export function ReplayActions({ session, replay }: { session: string; replay: RunReplay }) {
  const { client } = useServer();
  const [, go] = useLocation();
  const [hasCase, setCase] = useState(false);
  const { steps } = replay.transcript;
  const fork = useMutation({
    mutationFn: async () => {
      const { steps: atStep } = await client.transcript(session, replay.at); // a replay numbers steps by run, a fork by session
      return client.fork(session, { atStep });
    },
    onSuccess: ({ id }) => go(paths.session(id)),
  });
  const download = useMutation({
    mutationFn: async () => save(await (await client.bundle(replay.run)).blob(), `${replay.run}.tar.gz`),
  });
  const error = fork.error ?? download.error;
  return (
    <div className="replay-actions">
      <button type="button" disabled={steps === 0 || fork.isPending} onClick={() => fork.mutate()}>
        Go on from here in another session
      </button>
      <button type="button" disabled={download.isPending} onClick={() => download.mutate()}>
        {download.isPending ? "Making the bundle …" : "Download the bundle"}
      </button>
      <button type="button" aria-expanded={hasCase} onClick={() => setCase(!hasCase)}>
        Make a test case of this
      </button>
      {hasCase && <TestCase run={replay.run} at={replay.at} />}
      {error && (
        <p role="alert" className="line-problem">
          {error.message}
        </p>
      )}
    </div>
  );
}

function TestCase({ run, at }: { run: string; at: number }) {
  const { client } = useServer();
  const { data, error } = useQuery({
    queryKey: ["replay", "whole", run, at],
    queryFn: () => client.replay(run, { at }),
    gcTime: 5_000, // the conversation can be long
  });
  if (error) return <Problem error={error} />;
  if (data === undefined) return <Loading what="the run" height="4rem" />;
  return (
    <div>
      <p className="muted">Copy it below test_cases in the file of the agent, and change its expectations.</p>
      <Copyable text={toTestCase(data)} label="test case">
        <pre>{showHiddenInDocument(toTestCase(data))}</pre>
      </Copyable>
    </div>
  );
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
