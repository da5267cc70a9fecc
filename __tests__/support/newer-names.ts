import { readFileSync, writeFileSync } from "node:fs";
import { oldestBrowsers } from "./oldest-browsers";

/**
 * Writes newer-names.json: what every browser of today has, and one of the oldest that the product serves lacks. (What one of
 * today's lacks, the journeys in three engines would find.) By hand, since the data is too heavy for every install:
 *
 *   npm pack @mdn/browser-compat-data && tar xf mdn-browser-compat-data-*.tgz
 *   npx tsx __tests__/support/newer-names.ts package/data.json
 */
interface Compat {
  support: Record<string, Support | Support[] | undefined>;
}

interface Support {
  version_added: string | boolean | null;
  flags?: unknown;
  prefix?: string;
  alternative_name?: string;
}

interface Tree {
  [name: string]: Tree;
}

const compatOf = ({ __compat }: Tree) => __compat as unknown as Compat | undefined;

/** What a form never touches. */
const farOff =
  /^(GPU|WGSL|RTC|WebTransport|OES_|EXT_|WEBGL|CSS|Audio|Video|Image|Encoded|Speech|Push|Notification|Payment|PublicKey|Picture|FileSystem|Text|IDB|Media|Canvas|Offscreen|Service|Extendable|Screen|SVG|FontFace|Trusted|Storage|Highlight|Scroll|Credential|Performance|Cookie|Background|Periodic|HTMLVideo|HTMLMedia|[.]aria|[.]shadowRoot)/;

const isUpTo = (version: string, most: string) =>
  Number.parseFloat(version.replace("≤", "")) <= Number.parseFloat(most);

function versionsOf({ support }: Compat, browser: string): string[] {
  const whole = [support[browser] ?? []].flat();
  const own = whole.filter((one) => !one.flags && !one.prefix && !one.alternative_name);
  return own.map(({ version_added }) => version_added).filter((version) => typeof version === "string");
}

const browsers = Object.entries(oldestBrowsers);
const isThereToday = (compat: Compat) =>
  browsers.every(([browser]) => versionsOf(compat, browser).some((one) => one !== "preview"));
const isOld = (compat: Compat) =>
  browsers.every(([browser, most]) => versionsOf(compat, browser).some((one) => isUpTo(one, most)));

const entriesOf = (tree: Tree) =>
  Object.entries(tree).flatMap(([name, node]) => {
    const compat = name !== "__compat" && compatOf(node);
    return compat ? [{ name, node, compat }] : [];
  });

/** 'Name' of a global, 'Owner.name' of what stands on it, '.name' of what no older object has. */
function namesOf(groups: Tree[]): string[] {
  const newer = new Set<string>();
  const old = new Set<string>();
  for (const owner of groups.flatMap(entriesOf)) {
    if (isThereToday(owner.compat) && !isOld(owner.compat)) newer.add(owner.name);
    for (const { name, compat } of entriesOf(owner.node)) {
      const [member, isStatic] = [name.replace("_static", ""), name.endsWith("_static")];
      if (!/^[a-zA-Z0-9]+$/.test(member)) continue;
      if (isOld(compat)) old.add(isStatic ? `${owner.name}.${member}` : `.${member}`);
      else if (isThereToday(compat) && !farOff.test(owner.name))
        newer.add(isStatic ? `${owner.name}.${member}` : `.${member}`);
    }
  }
  return [...newer].filter((name) => !old.has(name) && !farOff.test(name)).sort();
}

const newerIn = (tree: Tree, prefix: string) =>
  entriesOf(tree)
    .filter(({ compat }) => isThereToday(compat) && !isOld(compat))
    .map(({ name }) => prefix + name);

const { api, javascript, css } = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Record<string, Tree>;
const { builtins } = javascript as Tree;
const scripts = namesOf([api, builtins, builtins?.Intl] as Tree[]);
const styles = [
  ...newerIn(css?.properties as Tree, ""),
  ...entriesOf(css?.properties as Tree).flatMap(({ name, node, compat }) =>
    isOld(compat) ? newerIn(node, `${name}:`) : [],
  ),
  ...newerIn(css?.selectors as Tree, ":"),
  ...newerIn(css?.["at-rules"] as Tree, "@"),
]
  .filter((name) => !/_|anchor|-webkit|view-transition/.test(name))
  .sort();
writeFileSync("__tests__/support/newer-names.json", `${JSON.stringify({ scripts, styles }, null, 2)}\n`);
