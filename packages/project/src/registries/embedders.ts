/** The embedding hosts. No other place lists them. */
import { hostedEmbedders } from "@bridle/model-api/definitions";
import { localEmbedder, noEmbedder } from "../own-hosts/own-embedders.ts";

/** All embedding hosts, in display order. */
export const embedders = [...hostedEmbedders, localEmbedder, noEmbedder] as const;
