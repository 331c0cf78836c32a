/** The schemas of the native API, by the names of the types in `@bridle/client` that are generated from them. */
import { agentCheckSchema } from "@bridle/app/agents";
import { answeredSchema, listedApprovalSchema } from "@bridle/app/approvals";
import { documentsStatusSchema, foundDocumentsSchema, indexedDocumentsSchema } from "@bridle/app/documents";
import {
  contextOverviewSchema,
  explainedKeySchema,
  listedContradictionsSchema,
  listedPagesSchema,
  shownPageSchema,
} from "@bridle/app/knowledge";
import { listedMetricsSchema, plannedAnswerSchema } from "@bridle/app/metrics";
import { listedPermissionSchema } from "@bridle/app/permissions";
import { ruleFileSchema, rulePreviewSchema } from "@bridle/app/rules";
import {
  contextContentsSchema,
  placedTranscriptSchema,
  removedSessionSchema,
  replaySchema,
  runDetailSchema,
} from "@bridle/app/sessions";
import { dailyCostsSchema, doctorSchema, modelsSchema, projectProcessesSchema } from "@bridle/app/status";
import { caseResultSchema, comparisonSchema, testRunOverviewSchema, testRunSchema } from "@bridle/app/tests";
import { foundKnowledgeSchema, listedJoinsSchema, shownTableSchema } from "@bridle/app/warehouses";
import type { z } from "zod";
import { agentChecksSchema, agentDetailSchema, agentListSchema, agentProblemsSchema } from "./agents.ts";
import { answerSchema, approvalsSchema } from "./approvals.ts";
import { boundaryReplySchema } from "./boundary.ts";
import { tablePageSchema } from "./data-context.ts";
import { documentChunksSchema } from "./documents.ts";
import { listedSessionSchema, sessionPageSchema } from "./list-sessions.ts";
import { permissionsSchema } from "./permissions.ts";
import { runPageSchema, startedRunSchema } from "./runs.ts";
import { createdSessionSchema, sessionSchema } from "./sessions.ts";
import { limitsReplySchema, statusReplySchema } from "./status.ts";
import { startedTestsSchema, testRunPageSchema } from "./test-runs.ts";

export const namedSchemas: Readonly<Record<string, z.ZodType>> = {
  ApiStatus: statusReplySchema,
  ApiDoctor: doctorSchema,
  ApiModels: modelsSchema,
  ApiLimits: limitsReplySchema,
  ApiCosts: dailyCostsSchema,
  ApiProcesses: projectProcessesSchema,
  ApiBoundary: boundaryReplySchema,
  ApiAgents: agentListSchema,
  ApiAgentChecks: agentChecksSchema,
  ApiAgent: agentDetailSchema,
  ApiAgentCheck: agentCheckSchema,
  ApiAgentProblems: agentProblemsSchema,
  ApiSessions: sessionPageSchema,
  ApiListedSession: listedSessionSchema,
  ApiSession: sessionSchema,
  ApiCreatedSession: createdSessionSchema,
  ApiRemovedSession: removedSessionSchema,
  ApiTranscript: placedTranscriptSchema,
  ApiContext: contextContentsSchema,
  ApiRuns: runPageSchema,
  ApiRun: runDetailSchema,
  ApiStartedRun: startedRunSchema,
  ApiReplay: replaySchema,
  ApiApprovals: approvalsSchema,
  ApiApproval: listedApprovalSchema,
  ApiAnswer: answerSchema,
  ApiAnswered: answeredSchema,
  ApiRules: ruleFileSchema,
  ApiRulePreview: rulePreviewSchema,
  ApiPermissions: permissionsSchema,
  ApiPermission: listedPermissionSchema,
  ApiTestRuns: testRunPageSchema,
  ApiTestRun: testRunSchema,
  ApiTestRunOverview: testRunOverviewSchema,
  ApiTestCase: caseResultSchema,
  ApiComparison: comparisonSchema,
  ApiStartedTests: startedTestsSchema,
  ApiDocuments: documentsStatusSchema,
  ApiFoundDocuments: foundDocumentsSchema,
  ApiDocumentChunks: documentChunksSchema,
  ApiIndexedDocuments: indexedDocumentsSchema,
  ApiDataContext: contextOverviewSchema,
  ApiTables: tablePageSchema,
  ApiTable: shownTableSchema,
  ApiJoins: listedJoinsSchema,
  ApiMetrics: listedMetricsSchema,
  ApiMetricPlan: plannedAnswerSchema,
  ApiPages: listedPagesSchema,
  ApiPage: shownPageSchema,
  ApiContradictions: listedContradictionsSchema,
  ApiExplained: explainedKeySchema,
  ApiFoundContext: foundKnowledgeSchema,
};
