import { webVitalsSchema } from "@/lib/schemas/web-vitals";
import { countVitals } from "@/lib/server/http/browser-reports";
import { envelopedCall, validated } from "@/lib/server/http/call";
import { CallError } from "@/lib/server/http/call-error";
import { countPerNetwork } from "@/lib/server/http/limits";
import { readJsonObject } from "@/lib/server/http/read-body";
import { currentSettings } from "@/lib/server/settings";

/** Adds the beacon of a visit (lib/client/web-vitals.ts) to the metrics. */
export const { POST, GET, PUT, PATCH, DELETE, OPTIONS } = envelopedCall(
  { name: "vitals", failure: "The report could not be saved" },
  async (request, { address }) => {
    if (!currentSettings().METRICS_PORT) throw new CallError(404, "There is no such endpoint");
    await countPerNetwork("vitals", address);
    countVitals(validated(webVitalsSchema, await readJsonObject(request)));
  },
);
