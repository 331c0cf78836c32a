/** The hosts of embeddings. This list is the only place that names them. */
import { hostedEmbedders } from "@bridle/model-api/definitions";
import { localEmbedder, noEmbedder } from "../own-hosts/own-embedders.ts";

/** In display order. */
export const embedders = [...hostedEmbedders, localEmbedder, noEmbedder] as const;
