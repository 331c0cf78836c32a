/**
 * The page's script, which filters, searches and sorts the cases on the page. Without scripts, the page shows every case, and the toolbar
 * is hidden.
 */
export const pageScript = `
{
  const list = document.getElementById("case-list");
  const all = [...list.children].map((element) => ({ element, data: element.dataset, text: undefined }));
  const toolbar = document.getElementById("toolbar");
  const [search, sort, shown, none] = ["search", "sort", "shown", "none"].map((id) => document.getElementById(id));
  const filters = [...document.querySelectorAll("[data-filter]")];
  let filter = "all";

  const textOf = (one) => {
    one.text ??= [...one.element.querySelectorAll(".t")].map((each) => each.textContent).join("\\n").toLowerCase();
    return one.text;
  };
  const number = (key) => (one) => Number(one.data[key]);
  const by = (of) => (a, b) => of(a) - of(b) || a.data.index - b.data.index;
  const orders = {
    problems: by(number("rank")),
    file: by(number("index")),
    slow: by((one) => -one.data.ms),
    cost: by((one) => -one.data.usd),
    rate: by(number("rate")),
    name: (a, b) => a.element.querySelector("h3").textContent.localeCompare(b.element.querySelector("h3").textContent),
  };

  function isIn({ data }, name) {
    if (name.startsWith("reason-")) return (data.reasons ?? "").split(" ").includes(name.slice(7));
    if (name.startsWith("change-")) return data.change === name.slice(7);
    return name === "all" || data.outcome === name || (name === "flaky" && "flaky" in data);
  }

  function refresh() {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const one of all) {
      const fits = isIn(one, filter);
      const visible = fits && words.every((word) => textOf(one).includes(word));
      one.element.hidden = !visible;
      if (visible) count += 1;
    }
    shown.textContent = count + " of " + all.length + (all.length === 1 ? " case" : " cases");
    none.hidden = count > 0;
    list.hidden = count === 0;
  }

  function choose(name) {
    filter = name;
    for (const button of filters) button.setAttribute("aria-pressed", String(button.dataset.filter === name));
    refresh();
  }

  function openAll(open) {
    for (const { element } of all) if (!element.hidden) element.querySelector("details").open = open;
  }

  function follow() {
    const target = /^#case-\\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (!target) return;
    if (target.hidden) {
      search.value = "";
      choose("all");
    }
    target.querySelector("details").open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }

  for (const button of filters) {
    const isOutside = !toolbar.contains(button);
    button.addEventListener("click", () => {
      choose(isOutside && filter === button.dataset.filter ? "all" : button.dataset.filter);
      if (isOutside && filter !== "all") document.getElementById("cases").scrollIntoView();
    });
  }
  let waiting;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 80);
  });
  sort.addEventListener("change", () => {
    list.append(...all.toSorted(orders[sort.value]).map(({ element }) => element));
  });
  document.getElementById("open-all").addEventListener("click", () => openAll(true));
  document.getElementById("close-all").addEventListener("click", () => openAll(false));
  addEventListener("hashchange", follow);
  toolbar.hidden = false;
  for (const element of document.querySelectorAll(".needs-script")) element.hidden = false;
  refresh();
  follow();
}
`;
