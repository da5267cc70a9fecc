import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { applicationStatuses } from "@/lib/domain/statuses";
import { messageKinds } from "@/lib/server/outbox/message-kinds";

const folders = ["__tests__", "app", "components", "docs", "lib", "prisma"];
const files = [
  ...readdirSync("."),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ),
];
const documents = files
  .filter((path) => path === "README.md" || /^docs\/.*\.md$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const links = documents.flatMap(({ path, text }) =>
  [...text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g)].map(([, target = ""]) => [path, target] as const),
);

test.each(links)("%s links to %s, which exists", (path, target) => {
  expect(existsSync(join(dirname(path), target))).toBe(true);
});

/** A path from the root, or the bare name of a source file. */
const isPath = (code: string) =>
  folders.some((folder) => code.startsWith(`${folder}/`)) || /^[\w.-]+\.(tsx?|mjs)$/.test(code);

/** Whether a file has this path. NAME and N in the path of a new file stand for any name: a file of that form has to exist. */
function leadsSomewhere(path: string): boolean {
  const form = path.replace(/[.[\]]/g, "\\$&").replace(/\b(NAME|N)\b/g, "[\\w-]+");
  const whole = new RegExp(`^${form.replace(/\/$/, "")}$`);
  return files.some((file) => whole.test(path.includes("/") ? file : basename(file)));
}

const paths = documents.flatMap(({ path, text }) =>
  [...text.replace(/^```.*?^```$/gms, "").matchAll(/`([^`\n]+)`/g)]
    .map(([, code = ""]) => code)
    .filter(isPath)
    .map((code) => [path, code] as const),
);

test.each(paths)("%s names %s, which exists", (_, path) => {
  expect(leadsSomewhere(path)).toBe(true);
});

test("the documents contain links and paths", () => {
  expect(links.length).toBeGreaterThan(30);
  expect(paths.length).toBeGreaterThan(50);
});

const textOf = (page: string) => documents.find(({ path }) => path === page)?.text ?? "";

const quoted = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

test("docs/sending.md lists the kinds of message and the types of webhook", () => {
  const sending = textOf("docs/sending.md");
  const list = sending.split("\n\n").find((paragraph) => paragraph.includes("message by its kind"));
  const types = [...sending.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, type]) => type);
  expect([...quoted(list), ...types].toSorted()).toEqual(Object.keys(messageKinds).toSorted());
});

test("docs/calls.md describes the routes", () => {
  // The last route answers 404 to every other path.
  const routes = files.flatMap(
    (file) => /^app(\/api\/(?!\[).+?)(?:\/\[reference\])?\/route\.ts$/.exec(file)?.[1] ?? [],
  );
  const calls = textOf("docs/calls.md");
  const described = [...calls.matchAll(/\/(?:api|user)(?:\/[a-z\d-]+)+/g)].map(([path]) => path);
  const [, table = ""] = /\n\| call \|(.+?)\n\n/s.exec(calls) ?? [];
  const inTable = [...table.matchAll(/^\| ([a-z\d-]+) \|/gm)].map(([, name]) => `/user/${name}`);
  const whole = [...described, ...inTable].map((path) => path.replace(/^\/user/, "/api/v1/user"));
  expect(new Set(whole)).toEqual(new Set(["/api/v1/user", ...routes]));
});

test("docs/calls.md, docs/glossary.md and docs/api.yaml list the statuses", () => {
  const inCalls = /^\| `status` \|(.*)$/m.exec(textOf("docs/calls.md"))?.[1];
  const inGlossary = /^\| status \|.*: (.+)\. \|$/m.exec(textOf("docs/glossary.md"))?.[1];
  const inApi = /status: \{ enum: \[(.+)\]/.exec(readFileSync("docs/api.yaml", "utf8"))?.[1];
  const lists = [quoted(inCalls), inGlossary?.split(", "), inApi?.split(", ")];
  expect(lists).toEqual(lists.map(() => applicationStatuses));
});

test("the restore recipe repeats later decisions before the app serves or sends anything", () => {
  const sections = textOf("docs/deploy/README.md").split(/^## /m);
  const recipe = sections.find((section) => section.startsWith("Backup and restore")) ?? "";
  const steps = [
    ...["npm run person -- erase", "npm run links -- revoke", "npm run keys -- revoke", "npm run status --"],
    ...["WORKER=off npm start", "suppressions -- add", "messages -- cancel", "Then restart without `WORKER=off`"],
  ];
  const places = steps.map((step) => recipe.indexOf(step));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
