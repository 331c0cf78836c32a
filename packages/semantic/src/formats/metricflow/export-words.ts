/** The words about a model, dimension or measure. */
export function wordsOfMetricFlow({
  description,
  label,
}: {
  readonly description?: string | undefined;
  readonly label?: string | undefined;
}) {
  return { ...(description !== undefined && { description }), ...(label !== undefined && { label }) };
}
