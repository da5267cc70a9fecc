import type { Metadata } from "next";
import { Suspense } from "react";
import { requirePerson } from "@/app/desk/guard";
import { inputBox } from "@/components/desk/input-box";
import { buttonStyle } from "@/components/ui/button";
import { SpinnerGlyph } from "@/components/ui/spinner";
import { formatToMinute } from "@/lib/domain/zone-time";
import { deskFigures, type FiguresQuery, readFiguresQuery } from "@/lib/server/desk/figures";
import { bouncesAndOptOuts } from "@/lib/server/figures/figure-words";
import { currentSettings } from "@/lib/server/settings";
import { type Chart, figureTables, funnelChart, weeklyChart } from "@/lib/server/templates/figures-page";

export const metadata: Metadata = { title: "Figures" };

const box = `${inputBox} w-full`;
/** The width of a chart on a phone of 360 px. */
const narrow = 328;

export default async function FiguresPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = readFiguresQuery(await searchParams);
  const address = `/desk/figures?${new URLSearchParams({ ...query })}`;
  await requirePerson(address);
  return (
    <div className="desk py-6">
      <h1 className="font-bold text-2xl">Figures</h1>
      <form key={address} action="/desk/figures" className="my-4 flex flex-wrap items-end gap-3">
        <div>
          <label htmlFor="batch" className="mb-1 block font-semibold text-sm">
            Batch
          </label>
          <input id="batch" name="batch" defaultValue={query.batch} autoComplete="off" className={box} />
        </div>
        <div>
          <label htmlFor="since" className="mb-1 block font-semibold text-sm">
            Invited since
          </label>
          <input id="since" name="since" type="date" defaultValue={query.since} className={box} />
        </div>
        <button type="submit" className={buttonStyle("secondary")}>
          Show
        </button>
      </form>
      <Suspense
        key={address}
        fallback={
          <p role="status" className="flex items-center gap-3">
            <SpinnerGlyph />
            Counting the applications. This can take a minute.
          </p>
        }
      >
        <Counted {...query} />
      </Suspense>
    </div>
  );
}

async function Counted(query: FiguresQuery) {
  const { figures, countedAt } = await deskFigures(query);
  const [whole, ...weeks] = figures;
  if (!whole?.stages[0]?.count) return <p role="status">Nobody was invited.</p>;
  const { ofAll, byWeek } = figureTables(figures);
  return (
    <>
      <p>{`As of ${formatToMinute(countedAt, currentSettings().brand)}. ${bouncesAndOptOuts(whole)}`}</p>
      <p>Amounts leave out erased applications. Whoever was paid counts as approved, too.</p>
      <h2 className="mt-8 mb-2 font-bold text-xl">From invitation to decision</h2>
      <ChartPicture wide={funnelChart(whole)} narrow={funnelChart(whole, narrow)} />
      <Tables tables={ofAll} />
      <h2 className="mt-8 mb-2 font-bold text-xl">By week of invitation</h2>
      <ChartPicture wide={weeklyChart(weeks)} narrow={weeklyChart(weeks, narrow)} />
      <Tables tables={byWeek} />
    </>
  );
}

const dataUrl = ({ svg }: Chart) => `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;

/** An image, because the styles within a chart are not those that the page's policy allows. */
function ChartPicture({ wide, narrow }: { wide: Chart; narrow: Chart }) {
  return (
    <picture>
      <source media="(min-width: 48rem)" srcSet={dataUrl(wide)} width={wide.width} height={wide.height} />
      <img src={dataUrl(narrow)} alt={wide.label} width={narrow.width} height={narrow.height} className="bg-white" />
    </picture>
  );
}

function Tables({ tables }: { tables: ReturnType<typeof figureTables>["ofAll"] }) {
  return tables.map(({ caption, headings, rows }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls sideways, also with the keyboard.
    <section key={caption} aria-label={caption} tabIndex={0} className="my-4 overflow-x-auto">
      <table className="border-collapse whitespace-nowrap text-sm">
        <caption className="py-2 text-left font-semibold">{caption}</caption>
        <thead>
          <tr className="border-line-strong border-b">
            {headings.map((heading, index) => (
              <th key={heading + index.toString()} scope="col" className="py-1 pr-5 text-right first:text-left">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells]) => (
            <tr key={first} className="border-line border-b">
              <th scope="row" className="py-1 pr-5 text-left font-normal">
                {first}
              </th>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have a fixed order.
                <td key={index} className="py-1 pr-5 text-right tabular-nums">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ));
}
