import { userInfo } from "node:os";
import { join } from "node:path";
import { listApprovals } from "@bridle/app/approvals";
import { pendingApprovals } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { openApprovalStage } from "../support/approvals-fixture.ts";

function recordOf(project: string) {
  const store = openStore({ folder: join(project, ".bridle") });
  onTestFinished(() => store.close());
  return store;
}

describe("a run without a terminal that waits for approvals", () => {
  test("prints how to answer, lists its question, and continues when another process allows the call", async () => {
    const { run, bridle, asked, open, effects, project } = await openApprovalStage();
    const running = run("Begin");
    const [question] = await asked();
    expect(question).toMatchObject({
      tool: "erase",
      input: { what: "the draft" },
      preview: "- the draft",
      alive: true,
    });
    const id = question?.id ?? "";
    await running.shows(`bridle approvals answer ${id} allow\n`);
    expect((await bridle("approvals", "list")).stdout).toMatch(
      new RegExp(
        `^${id}\n\\? erase asks to run \\(.*\\)\n│ rule: annotation:destructive\n│ {"what":"the draft"}\n│ - the draft\n\\? Run erase \\(.*\\)\\?\n  asked .*which is waiting\n$`,
      ),
    );
    expect(await bridle("approvals", "answer", id, "allow", "--message", "With care.")).toEqual({
      code: 0,
      stdout: "The answer was taken.\n",
      stderr: "",
    });
    expect(await running.ended).toBe(0);
    expect(running.stdout()).toBe("All done.\n");
    expect(running.stderr()).toContain(`${id}: Answered elsewhere: allow, by ${userInfo().username}`);
    expect(await effects()).toEqual(["erase the draft"]);
    expect(await open()).toEqual([]);
    const { approvals, ...store } = recordOf(project);
    const events = await store.read({ runId: question?.runId ?? "" });
    const answer = { decision: "allow", source: "answer", by: userInfo().username, message: "With care." };
    expect(events.find(({ type }) => type === "approval.decided")).toMatchObject(answer);
    expect(pendingApprovals(events)).toEqual([]);
  });

  test("accepts answers in any order: it denies one call, and runs the other with an edited input", async () => {
    const { run, bridle, asked, effects, wire } = await openApprovalStage();
    const running = run("Both");
    const open = await asked(2);
    const idOf = (tool: string) => open.find((each) => each.tool === tool)?.id ?? "";
    const edited = await bridle("approvals", "answer", idOf("mail"), "allow", "--input", '{"what":"three"}');
    expect(edited.code).toBe(0);
    expect((await asked()).map(({ tool }) => tool)).toEqual(["erase"]);
    const denied = await bridle("approvals", "answer", idOf("erase"), "deny", "--message", "Not on a Friday.");
    expect(denied.code).toBe(0);
    expect(await running.ended).toBe(0);
    expect(await effects()).toEqual(["mail three"]);
    expect(wire()).toContain("not allowed by the person who was asked. Not on a Friday.");
    expect(wire()).toContain("A person changed the input of this call before it ran.");
  });

  test("asks again about an edited input that does not fit the tool", async () => {
    const { run, bridle, asked, effects } = await openApprovalStage();
    const running = run("Begin");
    const [first] = await asked();
    await bridle("approvals", "answer", first?.id ?? "", "allow", "--input", '{"what":5}');
    await running.shows("The input does not fit");
    const [second] = await asked();
    expect(second).toMatchObject({ attempt: 2, problem: expect.stringContaining("what: ") });
    await bridle("approvals", "answer", second?.id ?? "", "allow", "--input", '{"what":"it"}');
    expect(await running.ended).toBe(0);
    expect(await effects()).toEqual(["erase it"]);
  });

  test("ends after deny-and-stop, and a later answer is refused", async () => {
    const { run, bridle, asked, effects } = await openApprovalStage();
    const running = run("Begin");
    const [{ id } = { id: "" }] = await asked();
    expect(await bridle("approvals", "answer", id, "deny-and-stop")).toMatchObject({ code: 0 });
    expect(await running.ended).toBe(1);
    const late = await bridle("approvals", "answer", id, "allow");
    expect(late).toEqual({ code: 1, stdout: "", stderr: "The question is settled already. Nothing was changed.\n" });
    expect(await effects()).toEqual([]);
  });

  test("accepts one of two answers that arrive at the same moment", async () => {
    const { run, bridle, asked, effects, project } = await openApprovalStage();
    const running = run("Begin");
    const [{ id, runId } = { id: "", runId: "" }] = await asked();
    const given = await Promise.all(
      ["allow", "deny"].map((decision) => bridle("approvals", "answer", id, decision, "--json")),
    );
    expect(given.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(given.map(({ stdout }) => JSON.parse(stdout).outcome).toSorted()).toEqual(["delivered", "settled"]);
    expect(await running.ended).toBe(0);
    const won = given[0]?.code === 0 ? "allow" : "deny";
    expect((await recordOf(project).read({ runId })).filter(({ type }) => type === "approval.decided")).toMatchObject([
      { decision: won },
    ]);
    expect(await effects()).toHaveLength(won === "allow" ? 1 : 0);
  });

  test("is refused if the run is ephemeral", async () => {
    const { bridle } = await openApprovalStage();
    expect(await bridle("run", "--approvals", "wait", "--ephemeral", "Begin")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cannot be combined"),
    });
  });
});

describe("bridle approvals answer", () => {
  test("suggests the nearest id and the nearest decision for an unknown one", async () => {
    const { run, bridle, asked } = await openApprovalStage();
    run("Begin");
    const [{ id } = { id: "" }] = await asked();
    const typo = `${id.slice(0, -1)}_`;
    expect(await bridle("approvals", "answer", typo, "allow")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`There is no approval request "${typo}". Did you mean "${id}"?`),
    });
    expect(await bridle("approvals", "answer", id, "alow")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"allow"?'),
    });
    expect(await bridle("approvals", "answer", id, "allow", "--input", "{")).toMatchObject({ code: 2 });
    expect(await bridle("approvals", "answer", id, "allow", "--when", "what=(")).toMatchObject({ code: 3 });
    const secret = `sk-ant-api03-${"aB3".repeat(12)}`;
    expect(await bridle("approvals", "answer", id, "allow", "--input", JSON.stringify({ what: secret }))).toMatchObject(
      {
        code: 1,
        stderr: expect.stringContaining("credential"),
      },
    );
    expect(await asked()).toHaveLength(1);
  });
});

describe("a question whose process was killed", () => {
  async function crashed() {
    const stage = await openApprovalStage();
    const running = stage.send("Begin");
    const [{ id } = { id: "" }] = await stage.asked();
    running.child.kill("SIGKILL");
    expect(await running.ended).toBe("SIGKILL");
    const again = async (prompt: string) => {
      const next = stage.send(prompt);
      expect(await next.ended, next.stderr()).toBe(0);
      return next.stdout();
    };
    return { ...stage, id, again };
  }

  test("is listed and can be answered; the session's next run logs the answer, and sends it to the model", async () => {
    const { bridle, open, id, again, wire, project, effects } = await crashed();
    expect(await open()).toMatchObject([{ id, sessionId: "shop", alive: false }]);
    const { stdout } = await bridle("approvals", "list", "--json");
    expect(JSON.parse(stdout).approvals).toEqual(await listApprovals({ approvals: { open } }));
    expect(await bridle("approvals", "answer", id, "allow", "--message", "Quickly.")).toMatchObject({
      code: 0,
      stdout:
        "Nobody waits for it: its run is over. The answer is kept for the next run of the session shop; send a message there to continue.\n",
    });
    expect(await open()).toEqual([]);
    expect(await bridle("approvals", "answer", id, "deny")).toMatchObject({ code: 1 });
    expect(await again("Go on")).toBe("natural: Went on.\n");
    expect(wire()).toContain("not executed: the process that ran it ended while a person was asked about it.");
    expect(wire()).toContain("has allowed it since. Call it again if it is still needed. The person says: Quickly.");
    const events = await recordOf(project).read({ sessionId: "shop" });
    const types = events.map(({ type }) => type);
    const ended = types.indexOf("run.finished");
    expect(events[ended]).toMatchObject({ result: { error: { code: "process_died" } } });
    expect(types.slice(ended + 1, ended + 3)).toEqual(["run.started", "approval.decided"]);
    expect(types.filter((type) => type === "approval.decided")).toHaveLength(1);
    expect(await again("Go on")).toBe("natural: Went on.\n");
    expect(wire().split("has allowed it since")).toHaveLength(2);
    expect(await effects()).toEqual([]);
  });

  test("without an answer is settled as not executed in the session's next run", async () => {
    const { bridle, open, id, again, wire } = await crashed();
    await again("Go on");
    expect(wire()).toContain("ended while a person was asked about it.");
    expect(await open()).toEqual([]);
    expect(await bridle("approvals", "answer", id, "allow")).toMatchObject({ code: 1 });
    const told = wire();
    await again("Go on");
    expect(wire().startsWith(told.slice(0, told.indexOf("ended while a person was asked about it.")))).toBe(true);
  });

  test("is asked again when the model repeats the call, if the answer was for one call", async () => {
    const { bridle, id, send, asked, effects } = await crashed();
    await bridle("approvals", "answer", id, "allow");
    const next = send("Once more");
    const [question] = await asked();
    expect(question).toMatchObject({ tool: "erase", input: { what: "the draft" }, alive: true });
    expect(question?.id).not.toBe(id);
    await bridle("approvals", "answer", question?.id ?? "", "allow");
    expect(await next.ended).toBe(0);
    expect(await effects()).toEqual(["erase the draft"]);
  });

  test.each(["session", "project", "always"])("is not asked again if the scope of the answer is %s", async (scope) => {
    const { bridle, id, again, effects } = await crashed();
    await bridle("approvals", "answer", id, "allow", "--scope", scope);
    expect(await again("Once more")).toBe("natural: Erased.\n");
    expect(await effects()).toEqual(["erase the draft"]);
    const { stdout } = await bridle("permissions", "list");
    if (scope === "session") expect(stdout).toBe("");
    else expect(stdout).toContain("allow erase");
  });

  test("of a run without a session is settled by its answer, and an answer for the project is remembered at once", async () => {
    const { run, asked, open, bridle } = await openApprovalStage();
    const running = run("Begin");
    const [{ id } = { id: "" }] = await asked();
    running.child.kill("SIGKILL");
    await running.ended;
    expect(await open()).toMatchObject([{ id, alive: false }]);
    const answered = await bridle("approvals", "answer", id, "deny", "--scope", "project");
    const stdout =
      "Nobody waits for it: its run is over, and it has no session. No call follows from it; start the run again.\n";
    expect(answered).toEqual({ code: 0, stdout, stderr: "" });
    expect(await open()).toEqual([]);
    expect((await bridle("permissions", "list")).stdout).toContain("deny erase, in this project");
  });
});
