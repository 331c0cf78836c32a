import { Link, Route, Switch } from "wouter";
import { paths } from "../addresses/paths.ts";
import { Home } from "../home/home.tsx";
import { Empty } from "../parts/states.tsx";
import { LaterPage } from "./later-page.tsx";
import { PageModule } from "./page-module.ts";

const agentPageCode = new PageModule(async () => (await import("../agent/agent-page.tsx")).AgentPage);
const conversationCode = new PageModule(async () => (await import("../conversation/conversation.tsx")).Conversation);
const replayCode = new PageModule(async () => (await import("../replay/replay.tsx")).Replay);
const inboxCode = new PageModule(async () => (await import("../inbox/inbox.tsx")).Inbox);
const testHistoryCode = new PageModule(async () => (await import("../tests/test-history.tsx")).TestHistory);
const testRunCode = new PageModule(async () => (await import("../tests/test-run.tsx")).TestRun);
const testComparisonCode = new PageModule(
  async () => (await import("../tests/compare/test-comparison.tsx")).TestComparison,
);
const sessionContextCode = new PageModule(
  async () => (await import("../context/window/session-context.tsx")).SessionContext,
);
const documentsCode = new PageModule(async () => (await import("../documents/documents.tsx")).Documents);
const dataContextCode = new PageModule(async () => (await import("../context/data-context.tsx")).DataContext);
const rulesCode = new PageModule(async () => (await import("../rules/rules.tsx")).Rules);
const statusCode = new PageModule(async () => (await import("../status/status.tsx")).Status);

export function Pages() {
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/agents/:agent">{({ agent }) => <LaterPage module={agentPageCode} props={{ agent }} />}</Route>
      <Route path="/s/:session">
        {({ session }) => <LaterPage key={session} module={conversationCode} props={{ session }} />}
      </Route>
      <Route path="/s/:session/runs/:run">
        {({ session, run }) => <LaterPage key={run} module={replayCode} props={{ session, run }} />}
      </Route>
      <Route path="/inbox">{() => <LaterPage module={inboxCode} props={{}} />}</Route>
      <Route path="/tests">{() => <LaterPage module={testHistoryCode} props={{}} />}</Route>
      <Route path="/tests/compare">{() => <LaterPage module={testComparisonCode} props={{}} />}</Route>
      <Route path="/tests/:id">{({ id }) => <LaterPage key={id} module={testRunCode} props={{ id }} />}</Route>
      <Route path="/context">{() => <LaterPage module={dataContextCode} props={{}} />}</Route>
      <Route path="/context/:session">
        {({ session }) => <LaterPage key={session} module={sessionContextCode} props={{ session }} />}
      </Route>
      <Route path="/documents">{() => <LaterPage module={documentsCode} props={{}} />}</Route>
      <Route path="/rules">{() => <LaterPage module={rulesCode} props={{}} />}</Route>
      <Route path="/status">{() => <LaterPage module={statusCode} props={{}} />}</Route>
      <Route>
        <Empty isPage title="There is nothing at this address.">
          <p>
            <Link to={paths.home}>See agents and sessions</Link>, or{" "}
            <Link to={paths.inbox}>questions that wait for you</Link>.
          </p>
        </Empty>
      </Route>
    </Switch>
  );
}
