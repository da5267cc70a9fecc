import type { Metadata } from "next";
import { Banner } from "@/components/ui/banner";
import { buttonStyle } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { deskPath } from "@/lib/server/desk/sign-in";

export const metadata: Metadata = { title: "Sign in" };

const problems: Record<string, string> = {
  provider:
    "The sign-in service does not answer. Try again in a minute. If it still does not answer, tell your engineer.",
  expired: "That sign-in did not finish. Start it again.",
  nobody:
    "You are signed in with your work account, but you are not allowed to use this desk. Ask the person who runs it to add you.",
  "too-many": "There were too many sign-ins from your network. Try again in five minutes.",
  ended: "You have signed out.",
};

export default async function SignIn({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const { to, problem } = await searchParams;
  const message = Object.hasOwn(problems, String(problem)) && problems[String(problem)];
  return (
    <div className="column py-12 sm:py-20">
      <Card>
        <h1 className="mb-4 font-bold text-3xl">Sign in to the desk</h1>
        {message && <Banner tone={problem === "ended" ? "info" : "error"}>{message}</Banner>}
        <p className="my-4">Use your work account. Everything you do here is recorded under your name.</p>
        {/* A plain link: the policy blocks a form that is redirected to another site, and Next's link would prefetch it. */}
        <a
          href={`/desk/sign-in/start?${new URLSearchParams({ to: deskPath(String(to)) })}`}
          className={buttonStyle("primary")}
        >
          Sign in
        </a>
      </Card>
    </div>
  );
}
