export { mean, passAtK, passHatK, sampleDeviation } from "./trials/statistics.ts";
