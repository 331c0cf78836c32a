import { useQuery } from "@tanstack/react-query";
import { useServer } from "../connection/server.tsx";
import { Loading, Problem } from "../parts/states.tsx";
import { BoundaryProof } from "./boundary-proof.tsx";
import { CostsByDay } from "./costs-by-day.tsx";
import { DoctorChecks } from "./doctor-checks.tsx";
import { Facts } from "./facts.tsx";
import { LimitWindows } from "./limit-windows.tsx";
import { Models } from "./models.tsx";
import { Processes } from "./processes.tsx";
import { statusFacts } from "./status-facts.ts";
import "./status.css";

/** The status of the server: its configuration, the account that pays, and the results of the checks. */
export function Status() {
  const { client } = useServer();
  const { data, error, refetch } = useQuery({ queryKey: ["status"], queryFn: () => client.status() });
  if (error && data === undefined) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the status" height="24rem" />;
  const { project } = data;
  return (
    <div className="page status-page">
      <h1>Status</h1>
      {project.degraded.map((reason) => (
        <p key={reason} className="note">
          {reason}
        </p>
      ))}
      <Facts facts={statusFacts(data)} />
      <section aria-label="Usage limits">
        <h2>Usage limits</h2>
        <LimitWindows />
      </section>
      <section aria-label="Costs by day">
        <h2>Costs by day</h2>
        <CostsByDay backend={project.backend} auth={project.auth} />
      </section>
      <section aria-label="Processes">
        <h2>Processes</h2>
        <Processes />
      </section>
      <section aria-label="Boundary">
        <h2>Boundary</h2>
        <BoundaryProof canProve={data.caller.role === "operator"} />
      </section>
      <Models />
      {/* checks take seconds, so they are placed where they do not shift the layout */}
      <section aria-label="Checks">
        <h2>Checks</h2>
        <DoctorChecks />
      </section>
    </div>
  );
}
