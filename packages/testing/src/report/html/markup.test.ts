import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../any-text-for-tests.ts";
import { html, trusted, write } from "./markup.ts";

test("inserted values are text, unless they are markup", () => {
  const inner = html`<b>${"<i>"}</b>`;
  expect(write(html`<p title="${`"'&`}">${inner}${["a", inner]}${null}${false}${0}</p>`)).toBe(
    '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b>a<b>&lt;i&gt;</b>0</p>',
  );
  expect(write(trusted("<br>"))).toBe("<br>");
});

test("no text opens an element, ends an attribute, or begins a reference", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(write(text)).toMatch(/^([^<>"'&]|&(amp|lt|gt|quot|#39);)*$/);
    }),
  );
});
