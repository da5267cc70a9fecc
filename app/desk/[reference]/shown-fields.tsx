import type { DeskApplication } from "@/lib/server/desk/application-view";

/** What the page shows, for the action to compare with what is stored when it runs. */
export function ShownFields({ application }: { application: DeskApplication }) {
  const { reference, status, version, isErased } = application;
  const fields = { reference, status, version, isErased: String(isErased) };
  return Object.entries(fields).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
