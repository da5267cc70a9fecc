import { act, render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { RouterContext } from "next/dist/shared/lib/router-context.shared-runtime";
import type { NextRouter } from "next/router";
import { type ReactNode, useEffect } from "react";
import ApplicationForm from "@/components/application/steps/application-form";
import { Gate } from "@/components/session/gate";
import { type Session, SessionProvider, useApplication } from "@/components/session/session-context";
import { BrandProvider, LendersDay } from "@/components/site/brand-context";
import { defaultBrand } from "@/lib/brand";
import type { Opened } from "@/lib/client/browser-storage";
import {
  type AgreedConsent,
  type ApplicationView,
  defaultAnswers,
  type InvitedAnswers,
  invitableAnswers,
} from "@/lib/domain/application";
import { consentDocument, consentText } from "@/lib/domain/consent";
import { answerSteps, reviewPath } from "@/lib/domain/journey";
import { receiptSections } from "@/lib/domain/receipt-text";
import { agent, landlord, lease } from "./answers";
import { mockPage, mockRouter } from "./component-tests";

const nothingInvited = Object.fromEntries(invitableAnswers.map((field) => [field, ""])) as InvitedAnswers;

/** The view of an application whose link has just been opened. */
export function newApplication(
  changes: Partial<ApplicationView> = {},
  invited: Partial<InvitedAnswers> = {},
): ApplicationView {
  return {
    ...defaultAnswers,
    reference: "K7QM-4XRT",
    status: "draft",
    submittedAt: null,
    version: "as first read",
    consent: null,
    savedSteps: [],
    ...invited,
    invited: { ...nothingInvited, ...invited },
    ...changes,
  };
}

/** The answers of an application whose steps are all saved. */
export const savedAnswers = {
  ...landlord,
  propertyAddress: "1 Wattle Lane, Sydney",
  ...agent,
  managerEmail: "grace@example.com",
  ...lease,
  savedSteps: answerSteps,
};

/** The consent text that the page was rendered with. */
export const renderedConsent = { ...consentText(defaultBrand), hash: "hash of the text on the page" };

/** The application once it is submitted, with its consent record. */
export const asSubmitted = (application: ApplicationView, agreed: Partial<AgreedConsent> = {}): ApplicationView => ({
  ...application,
  status: "submitted",
  submittedAt: "2026-03-01T01:30:00.000Z",
  consent: {
    version: renderedConsent.version,
    document: consentDocument(renderedConsent),
    consentedAt: "2026-03-01T01:30:00.000Z",
    receipt: receiptSections(application, defaultBrand),
    ...agreed,
  },
});

export const Form = () => <ApplicationForm consent={renderedConsent} />;
export function ReviewPage() {
  mockPage.path = reviewPath;
  return <ApplicationForm consent={renderedConsent} />;
}

export const submitted = {
  body: {
    success: true,
    data: { reference: "K7QM-4XRT", status: "submitted", submittedAt: "2026-03-01T00:00:00.000Z" },
  },
};

interface Visit {
  application?: ApplicationView;
  source?: string;
  /** The URL's query, such as '?step=2'. */
  search?: string;
  /** The session that only the page has. By default, the page finds its token in localStorage. */
  opened?: Opened;
}

/** Keeps the session's application in `seen`. */
function Watcher({ seen }: { seen: { application: ApplicationView } }) {
  const { application } = useApplication();
  useEffect(() => void Object.assign(seen, { application }), [seen, application]);
  return null;
}

/** In Jest, next/link is the one of the Pages Router. Without that router's context, its links load a document. */
const pagesRouter = { ...mockRouter, prefetch: async () => undefined } as unknown as NextRouter;

/** A page, or a part of one, as the layout renders it. */
export const inSession = (initial: Session, page: ReactNode, reportsOpening = false) => (
  <RouterContext value={pagesRouter}>
    <BrandProvider value={defaultBrand}>
      <LendersDay value="2026-12-31">
        <SessionProvider initial={initial} reportsOpening={reportsOpening}>
          {page}
        </SessionProvider>
      </LendersDay>
    </BrandProvider>
  </RouterContext>
);

/** Renders a screen in an authenticated session, with the token and source in localStorage. */
export function visit(
  shown: ReactNode,
  { application = newApplication(), source = "ba", search = "", opened }: Visit = {},
) {
  window.history.replaceState(null, "", `/home${search}`);
  window.scrollTo = () => undefined;
  window.opened = opened;
  const seen = { application };
  const visitor = (children: ReactNode) =>
    inSession(
      { state: "authenticated", application, source },
      <Gate>
        <Watcher seen={seen} />
        {children}
      </Gate>,
    );
  const page = render(visitor(shown));
  /** Goes to another screen in the same document. */
  function go(next: ReactNode, path = "/home"): void {
    window.history.replaceState(null, "", path);
    page.rerender(visitor(next));
  }
  return { user: userEvent.setup(), seen, go, ...page };
}

/** Renders a page that has yet to verify its token, or whose token the server has refused. */
export const renderPage = (page: ReactNode, state: "loading" | "unauthorized" = "loading") =>
  render(inSession({ state }, page));

export const draftKey = "draft_K7QM-4XRT";

/** Stores a draft, as an earlier visit would. */
export function keepDraft(answers: object, { countries = {}, at = Date.now() } = {}): void {
  localStorage.setItem(draftKey, JSON.stringify({ answers, countries, at }));
}

/** Changes the stored draft as another tab does, of which the browser tells the page. */
export function inAnotherTab(changeDraft: () => void): void {
  const oldValue = localStorage.getItem(draftKey);
  changeDraft();
  const newValue = localStorage.getItem(draftKey);
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: draftKey, oldValue, newValue })));
}

/** Goes to a step by its address, as Back and Forward in the browser do. */
export function goToStep(step: number): void {
  window.history.pushState(null, "", `?step=${step}`);
  act(() => void window.dispatchEvent(new PopStateEvent("popstate")));
}

/** The text beside a label in a review or the receipt. */
export const rowOf = (label: string) =>
  screen.getAllByRole("term").find(({ textContent }) => textContent === label)?.nextElementSibling?.textContent;

/** Presses a button, and waits for the step with this heading. */
export async function turnTo(user: UserEvent, button: "Back" | "Next", heading: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: button }));
  await screen.findByRole("heading", { name: heading });
}
