import type { Page } from "playwright-core";

/**
 * Finds layout faults of a narrow page that a machine can detect: parts that are cut off, overlap, or are too small for a thumb.
 */
export function findFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${find})(${targetOfThumb})`);
}

/** Finds targets that are too small even for a precise pointer. */
export async function findSmallTargets(page: Page): Promise<string[]> {
  const faults = await page.evaluate<string[]>(`(${find})(${targetOfPointer})`);
  return faults.filter((fault) => fault.startsWith("small: "));
}

/** The minimum width and height of a target in pixels. Links within a sentence are exempt. */
const targetOfThumb = 44;
const targetOfPointer = 24;

const find = `(target) => {
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !each.closest(".hidden-text, .skip");
  const describe = (each) => each.outerHTML.slice(0, 160);
  const faults = document.scrollingElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : [];
  for (const each of scope.querySelectorAll("*")) {
    const { overflowX, textOverflow } = getComputedStyle(each);
    const isWide = each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1 && each.textContent.trim() !== "";
    if (isWide && ["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis" && isShown(each)) faults.push("cut: " + describe(each));
  }
  const seen = (each) => {
    const box = { ...each.getBoundingClientRect().toJSON() };
    for (let parent = each.parentElement; parent !== null; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflowY === "visible") continue;
      const { left, top, right, bottom } = parent.getBoundingClientRect();
      Object.assign(box, { left: Math.max(box.left, left), top: Math.max(box.top, top), right: Math.min(box.right, right), bottom: Math.min(box.bottom, bottom) });
    }
    return box;
  };
  for (const each of scope.querySelectorAll(".dock .actions button, .dock textarea")) {
    const { top, bottom } = seen(each);
    if (isShown(each) && bottom - top < each.getBoundingClientRect().height - 2) faults.push("out of sight: " + describe(each));
  }
  for (const each of scope.querySelectorAll("th")) {
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const words = document.createRange();
      words.selectNodeContents(texts.currentNode);
      const lines = new Set([...words.getClientRects()].map(({ top }) => Math.round(top)));
      if (/^\\w{1,12}$/.test(texts.currentNode.data) && lines.size > 1) faults.push("a broken word: " + describe(each));
    }
  }
  const isSticky = (each) => each !== null && (getComputedStyle(each).position === "sticky" || isSticky(each.parentElement));
  const isInline = (each) => getComputedStyle(each).display === "inline";
  const controls = [...scope.querySelectorAll("a[href], button, input, select, textarea, summary, [role=option]")]
    .filter(isShown);
  for (const each of controls) {
    const { width, height, right } = each.getBoundingClientRect();
    if (right > innerWidth + 1 && !each.closest(".table-scroll")) faults.push("beyond the edge: " + describe(each));
    const isMark = ["checkbox", "radio"].includes(each.type);
    const label = isMark ? each.closest("label")?.getBoundingClientRect() : undefined;
    const isLabelled = label !== undefined && Math.round(label.height) >= target;
    const isExempt = isInline(each) || (isMark && (target > 24 || isLabelled)) || each.matches(".map-box");
    if (!isExempt && (Math.round(height) < target || Math.round(width) < target)) faults.push("small: " + Math.round(width) + " × " + Math.round(height) + " " + describe(each));
  }
  const boxes = controls.map((each) => [each, seen(each)]).filter(([, box]) => box.right > box.left && box.bottom > box.top);
  boxes.forEach(([each, a], index) => {
    for (const [other, b] of boxes.slice(index + 1)) {
      if (each.contains(other) || other.contains(each)) continue;
      if (isInline(each) && isInline(other)) continue; // lines of one text
      if (isSticky(each) !== isSticky(other)) continue; // the rest scrolls below what stays in sight
      const [width, height] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      if (width > 2 && height > 2) faults.push("above each other: " + describe(each) + " and " + describe(other));
    }
  });
  return faults;
}`;
