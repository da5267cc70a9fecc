import "server-only";
import { funnelHeadings, funnelRows, stopsInWords } from "@/lib/server/applications/figure-words";
import { emailOf } from "./email";

/** On Mondays to FIGURES_EMAIL. */
export const weeklyFiguresEmail = emailOf("weekly-figures-2", ({ figures }, brand) => ({
  subject: `Figures of the week for ${brand.product}`,
  preview: "How far all who were invited have come.",
  heading: "How far people have come",
  parts: [
    "This counts everyone invited so far. Whoever reached a later stage counts for each stage before it.",
    ...(figures ? [{ headings: funnelHeadings, rows: funnelRows(figures) }, stopsInWords(figures)] : []),
    "To see one batch or one week, or a page with charts: npm run figures -- --help",
  ],
  why: "You're getting this because your address is in the setting FIGURES_EMAIL.",
}));
