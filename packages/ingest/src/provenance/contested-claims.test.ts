import { expect, test } from "vitest";
import { claimOf, contested } from "../rendering/claims-for-tests.ts";
import { acceptAll, chooseClaim, findContradictions } from "./contested-claims.ts";

const claims = contested(claimOf("Churn is 21 days."), claimOf("Churn is 28 days."));
const [a, b] = [...claims].sort((one, other) => (one.id < other.id ? -1 : 1));
if (a === undefined || b === undefined) throw new Error("There are two claims.");
const ann = { by: "ann", at: "2026-03-04" };

test("claims that contradict each other are one contradiction, with their sources", () => {
  const all = [
    ...claims,
    claimOf("A rider has a pass."),
    ...contested(claimOf("Winter begins in May."), claimOf("Winter begins in June.")),
  ];
  const found = findContradictions(all, {});
  expect(found.map((each) => each.claims.length)).toEqual([2, 2]);
  const churn = found.find((each) => each.claims[0]?.id === a.id);
  expect(churn).toMatchObject({ claims: [{ id: a.id, sources: a.sources }, { id: b.id }], isDecidable: true });
});

test("a choice pins one statement over those that contradict it, and the contradiction is decided at once", () => {
  const decisions = chooseClaim(a.id, claims, { ...ann, reason: "Finance agreed." });
  const [own, other] = [a, b].map(({ body }) => (body.kind === "statement" ? body.statement : ""));
  expect(decisions).toMatchObject({
    pins: [{ statement: own, over: [other], by: "ann", at: "2026-03-04", reason: "Finance agreed." }],
  });
  expect(findContradictions(claims, { pins: [...(decisions.pins ?? [])] })).toEqual([]);
});

test("claims that all hold are no contradiction any more", () => {
  const [first] = findContradictions(claims, {});
  if (first === undefined) throw new Error("There is a contradiction.");
  expect(findContradictions(claims, { both: [...(acceptAll(first, ann).both ?? [])] })).toEqual([]);
});

test("of three, a choice decides between those that contradict it", () => {
  const [x, y, z] = [claimOf("Grace is 3 minutes."), claimOf("Grace is 5 minutes."), claimOf("Grace is 7 minutes.")];
  const three = [
    { ...x, status: "contested" as const, conflicts: [y.id] },
    { ...y, status: "contested" as const, conflicts: [x.id, z.id] },
    { ...z, status: "contested" as const, conflicts: [y.id] },
  ];
  expect(findContradictions(three, {})).toMatchObject([{ claims: [{}, {}, {}] }]);
  expect(findContradictions(three, { pins: [...(chooseClaim(y.id, three, ann).pins ?? [])] })).toEqual([]);
  expect(findContradictions(three, { pins: [...(chooseClaim(x.id, three, ann).pins ?? [])] })).toEqual([]);
});

test("a person cannot choose between joins or parts of models", () => {
  const join = (to: string) => ({
    ...claimOf(to),
    id: to,
    body: { kind: "join" as const, from: ["w.m.a.b"], to: [to] },
  });
  const joins = contested(join("w.m.c.d"), join("w.m.e.f"));
  expect(findContradictions(joins, {})).toMatchObject([
    { isDecidable: false, claims: [{ text: "w.m.a.b → w.m.c.d" }, {}] },
  ]);
  expect(chooseClaim("w.m.c.d", joins, ann)).toEqual({});
});
