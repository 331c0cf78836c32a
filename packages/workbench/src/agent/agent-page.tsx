export function AgentPage({ agent }: { agent: string }) {
  return <h1>AgentPage {agent}</h1>;
}
