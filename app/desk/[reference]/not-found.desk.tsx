import Link from "next/link";

export default function NoApplication() {
  return (
    <div className="desk grid gap-4 py-6">
      <h1 className="font-bold text-2xl">There is no such application</h1>
      <p>
        Check the reference, or{" "}
        <Link href="/desk" prefetch={false} className="link inline-block py-2.5">
          search for the name
        </Link>
        .
      </p>
    </div>
  );
}
