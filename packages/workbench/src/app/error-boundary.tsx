import { Component, type ReactNode } from "react";

interface ErrorBoundaryState {
  readonly error?: Error;
}

/** Shows an error of the page itself, so that the page is never blank. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, ErrorBoundaryState> {
  override state: ErrorBoundaryState = {};

  static getDerivedStateFromError(error: Error): ErrorBoundaryState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <main className="problem" role="alert">
        <h1>This page has a fault.</h1>
        <p>Nothing is lost: everything is in the event log. Reload the page, and report this if it comes again.</p>
        <pre>{error.message}</pre>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </main>
    );
  }
}
