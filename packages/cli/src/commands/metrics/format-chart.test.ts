import { expect, test } from "vitest";
import { formatChart } from "./format-chart.ts";

type Answer = Parameters<typeof formatChart>[0];

function chart(rows: Answer["rows"], width = 40, names = ["month"]): string[] {
  const columns = [
    ...names.map((name) => ({ name, kind: "dimension" as const, type: "text" })),
    { name: "sales", kind: "measure" as const, type: "double" },
  ];
  const page = { width, paint: (_style: string, text: string) => text };
  return formatChart({ columns, rows } as unknown as Answer, page as Parameters<typeof formatChart>[1])
    .trimEnd()
    .split("\n");
}

test("values are aligned at their end, and the longest bar is the greatest value", () => {
  expect(
    chart(
      [
        ["01", 10],
        ["02", 5],
        ["03", 100],
      ],
      30,
    ),
  ).toEqual(["sales", "01   10  ██", "02    5  █", "03  100  ████████████████████"]);
});

test("negative values are left of an axis", () => {
  expect(
    chart(
      [
        ["01", 5],
        ["02", -5],
        ["03", 0],
      ],
      26,
    ),
  ).toEqual(["sales", "01   5          │████████", "02  -5  ████████│", "03   0          │"]);
});

test("a missing value has no bar, and is no zero", () => {
  expect(
    chart(
      [
        ["01", null],
        ["02", 3],
      ],
      24,
    ),
  ).toEqual(["sales", "01  NULL", "02     3  █████████████"]);
});

test("values are rounded, and marked as rounded, if a narrow terminal has no room for bars", () => {
  const lines = chart(
    [
      ["Espresso machine, two circuits", 0.747_808_544_347],
      ["Hand grinder", 2],
    ],
    40,
  );
  expect(lines[1]).toMatch(/^Espresso machi.{1,2} {2}≈0\.7478 {2}█/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
});

test("groups of several dimensions are named with all of them", () => {
  expect(
    chart(
      [
        ["web", "Tea", 1],
        ["shop", null, 2],
      ],
      60,
      ["channel", "label"],
    )[2],
  ).toMatch(/^shop, NULL/);
});
