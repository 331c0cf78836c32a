import { OverloadedError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { curateClaims } from "./curate-claims.ts";
import { curatorOptions, type ScriptedCurator, stated } from "./scripted-curator-for-tests.ts";

const fails = () => {
  throw new OverloadedError("The model is overloaded.");
};
const period = (minutes: number, updatedAt: string) =>
  stated(
    `The grace period of a ride is ${minutes} minutes.`,
    { item: `grace-${minutes}.md`, updatedAt },
    { subject: "grace period" },
  );
const grace = [period(3, "2026-01-01"), period(5, "2026-02-01")];
const downtime = [
  stated(
    "Downtime of a dock is the time without a heartbeat for more than 10 minutes.",
    { item: "downtime.md" },
    { subject: "downtime of a dock" },
  ),
  stated(
    "A dock is down once it has sent no heartbeat for over ten minutes; that time is its downtime.",
    { item: "faq.md" },
    { subject: "dock downtime" },
  ),
];
const retention = [
  "Retention is the share of riders with a trip in both of two following months.",
  "Retention is the share of passes renewed within 35 days.",
].map((text) => stated(text));
const all = [...grace, ...downtime, ...retention];

const relation = (a: string, b: string) =>
  /dock/.test(a) && /dock/.test(b) ? "same" : /Retention/.test(a) && /Retention/.test(b) ? "conflict" : "different";

test("while no model compares statements, those that were one claim or contradicted each other still do", async () => {
  const before = await curateClaims(all, curatorOptions({ relation }));
  expect(before.claims.map(({ status }) => status).sort()).toEqual([
    "contested",
    "contested",
    "current",
    "current",
    "superseded",
  ]);
  const options = curatorOptions({ distort: fails }, { previous: before.claims });
  const after = await curateClaims(all, options);
  expect(after.claims).toEqual(before.claims);
  expect(after.undecided).toHaveLength(new Set(after.undecided.map((each) => JSON.stringify(each))).size);
  expect(after.failed.length).toBeGreaterThan(0);
});

test("a new statement about which no model was asked is merged with nothing, and retires nothing", async () => {
  const before = await curateClaims(grace.slice(0, 1), curatorOptions());
  const after = await curateClaims(grace, curatorOptions({ distort: fails }, { previous: before.claims }));
  expect(after.claims.map(({ status }) => status)).toEqual(["current", "current"]);
});

test("what a model says now counts more than what it said before", async () => {
  const before = await curateClaims(all, curatorOptions({ relation }));
  const options = curatorOptions({ conflict: () => false }, { previous: before.claims });
  const after = await curateClaims(all, options);
  expect(after.claims).toHaveLength(6);
  expect(after.claims.every(({ status }) => status === "current")).toBe(true);
  expect((options.models as ScriptedCurator).calls.length).toBeGreaterThan(0);
});
