import type { Metadata } from "next";
import { requirePerson } from "./guard";

export const metadata: Metadata = { title: "Applications" };

export default async function Applications() {
  await requirePerson("/desk");
  return (
    <div className="desk py-6">
      <h1 className="font-bold text-2xl">Applications</h1>
    </div>
  );
}
