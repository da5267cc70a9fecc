declare module "autocannon" {
  interface Client {
    setRequests(requests: { method: string; path: string; headers: Record<string, string>; body: string }[]): void;
  }
  interface Result {
    duration: number;
    "2xx": number;
    non2xx: number;
    errors: number;
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    setupClient(client: Client): void;
  }): Promise<Result>;
}
