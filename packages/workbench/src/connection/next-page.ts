/** The state of a paginated query. It determines the next step. */
interface PagedRead {
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
}

/** Whether the next page may be read automatically. After a failure, the user must retry. */
export function mayReadOn({ hasNextPage, isFetching, isFetchNextPageError }: PagedRead): boolean {
  return hasNextPage && !isFetching && !isFetchNextPageError;
}

interface FailedRead {
  readonly isFetchNextPageError: boolean;
  fetchNextPage(): Promise<unknown>;
  refetch(): Promise<unknown>;
}

/** Retries the failed request: the next page, or the list. */
export function readAgain({ isFetchNextPageError, fetchNextPage, refetch }: FailedRead): void {
  void (isFetchNextPageError ? fetchNextPage() : refetch());
}
