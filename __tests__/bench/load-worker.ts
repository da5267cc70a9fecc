import autocannon from "autocannon";

/** What the load process sends: each connection cycles through all bodies, starting at a different one. */
export interface Load {
  urls: string[];
  path: string;
  bodies: string[];
  connections: number;
  seconds: number;
}

export interface Measured {
  perSecond: number;
  failure?: string;
}

/** 2xx answers per second; any other answer fails the measurement. */
async function measure({ urls, path, bodies, connections, seconds }: Load): Promise<number> {
  const requests = bodies.map((body) => ({
    method: "POST",
    path,
    headers: { "content-type": "application/json" },
    body,
  }));
  let begun = 0;
  const results = await Promise.all(
    urls.map((url) =>
      autocannon({
        url,
        connections: connections / urls.length,
        duration: seconds,
        setupClient(client) {
          const first = Math.floor((begun++ * requests.length) / connections);
          client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
        },
      }),
    ),
  );
  const wrong = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (wrong > 0) throw new Error(`${wrong} calls of ${path} were refused or not answered`);
  return results.reduce((sum, result) => sum + result["2xx"] / result.duration, 0);
}

process.on("message", async (load: Load) => {
  const measured = await measure(load).then(
    (perSecond): Measured => ({ perSecond }),
    (error: Error): Measured => ({ perSecond: 0, failure: error.message }),
  );
  process.send?.(measured);
});
