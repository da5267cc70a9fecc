import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import { useReadablePhone } from "@/components/ui/phone-format";
import type { SummaryRow } from "@/components/ui/summary-list";
import { extraFunds } from "@/lib/domain/advance";
import { formatCalendarDate, isCalendarDate } from "@/lib/domain/calendar-date";
import { centsOf } from "@/lib/domain/money";
import { asksForApproval } from "@/lib/domain/source";
import { changedFrom, invoiceChangedFrom } from "./changed-from";
import type { FormValues } from "./form-values";
import { extraFundsLabel, invoiceLabel, labels } from "./labels";
import { useMoney } from "./use-money";

type Labelled = keyof typeof labels;

function PhoneText({ digits }: { digits: string }) {
  return useReadablePhone(digits);
}

/** The answers as a person reads them, row by row; both reviews choose from these. */
export function useReviewRows(values: FormValues) {
  const { locale } = useBrand();
  const { whole } = useMoney();
  const { invited } = useApplication().application;
  const { source } = values;

  const text = (name: Labelled): SummaryRow => ({
    label: labels[name],
    value: values[name],
    otherwise: "Not provided",
    changedFrom: changedFrom(invited, name, values[name]),
  });
  const phone = (name: "mobile" | "contactNumber"): SummaryRow => ({
    ...text(name),
    value: values[name] && <PhoneText digits={values[name]} />,
  });
  const date = (name: "leaseStartDate" | "leaseEndDate"): SummaryRow => ({
    label: labels[name],
    value: isCalendarDate(values[name]) && formatCalendarDate(values[name], locale),
    otherwise: "Not specified",
  });
  const amount = (label: string, dollars: string): SummaryRow => ({
    label,
    value: dollars && whole(centsOf(dollars)),
    otherwise: "Not specified",
  });

  const quoted = invoiceChangedFrom(invited, values.invoiceAmount);
  const extra = extraFunds(values.loanAmount, values.invoiceAmount);
  return {
    personal: [text("firstName"), text("lastName"), phone("mobile"), text("email")],
    property: [text("propertyAddress")],
    agency: [
      text("agencyName"),
      text("managerFirstName"),
      text("managerLastName"),
      phone("contactNumber"),
      text("managerEmail"),
    ],
    lease: [
      date("leaseStartDate"),
      date("leaseEndDate"),
      amount(labels.currentRent, values.currentRent),
      {
        ...amount(invoiceLabel(source), values.invoiceAmount),
        changedFrom: quoted === undefined ? undefined : whole(quoted),
      },
      ...(asksForApproval(source) ? [text("approval")] : []),
      amount(labels.loanAmount, values.loanAmount),
      ...(extra > 0 ? [{ label: extraFundsLabel, value: whole(extra), otherwise: "Not specified" }] : []),
    ],
  };
}
