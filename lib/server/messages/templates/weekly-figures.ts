import "server-only";
import { funnelHeadings, funnelRows, stopsInWords } from "@/lib/server/applications/figure-words";
import { emailOf } from "./email";

/** On Mondays to FIGURES_EMAIL. */
export const weeklyFiguresEmail = emailOf("weekly-figures-1", ({ figures }, brand) => ({
  subject: `Figures of the week for ${brand.product}`,
  preview: "How far all who were invited have come.",
  heading: "How far they have come",
  parts: [
    "This counts all who were invited up to now. Who came to a later stage counts for each stage before it.",
    ...(figures ? [{ headings: funnelHeadings, rows: funnelRows(figures) }, stopsInWords(figures)] : []),
    "To see one batch or one week, or a page with charts: npm run figures -- --help",
  ],
  why: "You get this because your address is in FIGURES_EMAIL, a setting of this system.",
}));
