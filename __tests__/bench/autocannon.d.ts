declare module "autocannon" {
  namespace autocannon {
    interface Client {
      setRequests(requests: { method: string; path: string; headers: Record<string, string>; body: string }[]): void;
      on(event: "response", heard: (status: number, bytes: number, milliseconds: number) => void): void;
    }
    interface Result {
      duration: number;
      "2xx": number;
      non2xx: number;
      errors: number;
    }
  }
  function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    overallRate?: number;
    setupClient(client: autocannon.Client): void;
  }): Promise<autocannon.Result>;
  export default autocannon;
}
