/** Runs copies of the example agents, as their readmes show. Copies are needed because some agents change their data. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { isSoak } from "./support/soak.ts";
import { openTestProject, type TestProject } from "./support/test-project.ts";

const examples = ["support-desk", "order-desk", "extractor", "team"];

/** All tests share one project, because each project starts many processes. */
let project: TestProject;
beforeAll(async () => {
  project = await openTestProject(isSoak ? "claude-code" : "anthropic");
  for (const name of examples) cpSync(join(root, "examples", name), join(project.folder, name), { recursive: true });
});
afterAll(() => project.close());

/** Sends a prompt to an example, with the model of the example's own script. */
function ask(example: string, prompt: string) {
  return project.shell(`cd ${example} && bridle run --agent agent.yaml --rehearse rehearsal.yaml "${prompt}"`);
}

test.each(examples)("%s is without a mistake", async (example) => {
  expect(await project.shell(`cd ${example} && bridle agent validate`)).toMatchObject({ code: 0 });
});

describe("the support desk", () => {
  test("looks an order up in its function tool", async () => {
    const { code, output } = await ask("support-desk", "Where is order A-1001?");
    expect(code, output).toBe(0);
    expect(output).toContain("Order A-1001 (Reading lamp) has been shipped on 2026-03-02.");
  });

  test("finds the topic of a question in its documents", async () => {
    const { output } = await project.shell('cd support-desk && bridle documents search "return a lamp"');
    expect(output).toContain("returns.md");
    expect((await ask("support-desk", "How long may I return a lamp?")).output).toContain("✓ handbook");
  });

  test("says that nothing was found if the documents have no answer, until they have one", async () => {
    expect((await ask("support-desk", "Are you open on Sundays?")).output).toContain("Nothing was found.");
    project.write("support-desk/docs/hours.md", "# Hours\n\nWe are closed on Sundays.\n");
    expect((await ask("support-desk", "Are you open on Sundays?")).output).toContain("We are closed on Sundays.");
  });
});

describe("the order desk", () => {
  const orders = () => readFileSync(join(project.folder, "order-desk/orders.json"), "utf8");

  test("refunds nothing without approval, and nothing that its rules deny", async () => {
    const before = orders();
    const { output } = await ask("order-desk", "Order A-1002 came broken. Please refund it.");
    expect(output).toContain("It needs a person's consent");
    expect((await ask("order-desk", "Refund order B-2001.")).output).toContain("This call was not allowed");
    expect(orders()).toBe(before);
  });

  test("refunds after approval, and leaves its file as it is", async () => {
    const before = orders();
    const prompt = "Order A-1002 came broken. Please refund it.";
    const flags = "--mode yolo --agent agent.yaml --rehearse rehearsal.yaml";
    const { output } = await project.shell(`cd order-desk && bridle run ${flags} "${prompt}"`);
    expect(output).toContain("45.90 EUR were paid back to Alan Kay.");
    expect(orders()).toBe(before);
  });
});

describe("the extractor", () => {
  test("answers with an object that a program can read", async () => {
    const { output } = await ask("extractor", "My lamp (order A-1001) arrived broken and I need it tomorrow.");
    expect(JSON.parse(output)).toEqual({
      subject: "Broken lamp",
      kind: "complaint",
      urgency: "high",
      orders: ["A-1001"],
    });
  });
});
