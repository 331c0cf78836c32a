/** Programs that make the browser observe itself, as text. None of them is part of the page. */

/** Records the largest paint, layout shifts, and how long each key or click takes until the next paint. */
export const observers = `
window.bench = { lcp: 0, cls: 0, interactions: new Map() };
const observe = (options, take) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ buffered: true, ...options });
observe({ type: "largest-contentful-paint" }, ({ startTime }) => { bench.lcp = startTime; });
observe({ type: "layout-shift" }, ({ hadRecentInput, value }) => { if (!hadRecentInput) bench.cls += value; });
observe({ type: "event", durationThreshold: 16 }, ({ interactionId, duration }) => {
  if (interactionId > 0) bench.interactions.set(interactionId, Math.max(duration, bench.interactions.get(interactionId) ?? 0));
});`;

/** Resolves with the milliseconds from the start of the navigation until an element with text was painted. */
export const firstTextOf = (selector: string) => `new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector(${JSON.stringify(selector)})?.textContent) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  };
  look();
})`;

/** Scrolls a list up and down for three seconds. Resolves with the frames per second, and with the largest number of nodes in the page. */
export const scrollOf = (selector: string) => `new Promise((resolve) => {
  const list = document.querySelector(${JSON.stringify(selector)});
  const count = () => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let nodes = 0;
    while (walker.nextNode()) nodes += 1;
    return nodes;
  };
  let [frames, nodes, by] = [0, count(), -90];
  const start = performance.now();
  const step = (now) => {
    if (now - start > 3000) return resolve({ perSecond: (frames * 1000) / (now - start), nodes: Math.max(nodes, count()) });
    frames += 1;
    if (frames === 60) nodes = Math.max(nodes, count());
    if (list.scrollTop + by <= 0 || list.scrollTop + by >= list.scrollHeight - list.clientHeight) by = -by;
    list.scrollTop += by;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

/** Clicks on an element. Resolves with the milliseconds until the change was painted. */
export const clickOn = (selector: string) => `new Promise((resolve) => {
  const element = document.querySelector(${JSON.stringify(selector)});
  const start = performance.now();
  element.click();
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
})`;
