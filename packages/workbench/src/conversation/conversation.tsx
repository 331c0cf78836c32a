export function Conversation({ session }: { session: string }) {
  return <h1>Conversation {session}</h1>;
}
