/** Returns the title of the tab, with the number of open questions. */
export function titleOfTab(questions: number): string {
  return questions === 0 ? "Bridle" : `(${questions}) Bridle`;
}

/** Returns the icon of the tab with the number of open questions, as a data URL. */
export function drawTabIcon(questions: number): string {
  const number = questions > 9 ? "9+" : `${questions}`;
  const badge =
    questions === 0
      ? ""
      : `<circle cx='11' cy='5' r='5' fill='#a32424'/><text x='11' y='7.4' font-family='sans-serif' font-size='${questions > 9 ? 6 : 7}' font-weight='bold' text-anchor='middle' fill='white'>${number}</text>`;
  const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='#315c86'/><path d='M4 3h2v4a3 3 0 1 1-2 4z' fill='white'/>${badge}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(icon)}`;
}
