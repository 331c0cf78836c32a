export function Replay({ session, run }: { session: string; run: string }) {
  return (
    <h1>
      Replay {session} {run}
    </h1>
  );
}
