import { type ComponentType, lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Home } from "../home/home.tsx";
import { Empty, Loading } from "../parts/states.tsx";

/** A page that is loaded when it is opened first. */
function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await load() }));
}

const AgentPage = later(async () => (await import("../agent/agent-page.tsx")).AgentPage);
const Conversation = later(async () => (await import("../conversation/conversation.tsx")).Conversation);
const Replay = later(async () => (await import("../replay/replay.tsx")).Replay);
const Inbox = later(async () => (await import("../inbox/inbox.tsx")).Inbox);
const TestHistory = later(async () => (await import("../tests/test-history.tsx")).TestHistory);
const TestRun = later(async () => (await import("../tests/test-run.tsx")).TestRun);
const TestComparison = later(async () => (await import("../tests/test-comparison.tsx")).TestComparison);
const SessionContext = later(async () => (await import("../context/window/session-context.tsx")).SessionContext);
const Documents = later(async () => (await import("../documents/documents.tsx")).Documents);
const DataContext = later(async () => (await import("../context/data-context.tsx")).DataContext);
const Rules = later(async () => (await import("../rules/rules.tsx")).Rules);
const Status = later(async () => (await import("../status/status.tsx")).Status);

export function Pages() {
  return (
    <Suspense fallback={<Loading what="the page" height="100%" />}>
      <Switch>
        <Route path="/" component={Home} />
        <Route path="/agents/:agent">{({ agent }) => <AgentPage agent={agent} />}</Route>
        <Route path="/s/:session">{({ session }) => <Conversation key={session} session={session} />}</Route>
        <Route path="/s/:session/runs/:run">
          {({ session, run }) => <Replay key={run} session={session} run={run} />}
        </Route>
        <Route path="/inbox" component={Inbox} />
        <Route path="/tests" component={TestHistory} />
        <Route path="/tests/compare" component={TestComparison} />
        <Route path="/tests/:id">{({ id }) => <TestRun key={id} id={id} />}</Route>
        <Route path="/context" component={DataContext} />
        <Route path="/context/:session">{({ session }) => <SessionContext key={session} session={session} />}</Route>
        <Route path="/documents" component={Documents} />
        <Route path="/rules" component={Rules} />
        <Route path="/status" component={Status} />
        <Route>
          <Empty title="There is nothing at this address.">
            <p>Use the list on the left, or press ? for all commands.</p>
          </Empty>
        </Route>
      </Switch>
    </Suspense>
  );
}
