import { SupportContacts } from "./support-contacts";

export function NoScript() {
  return (
    <noscript>
      <div className="page border-accent border-b-4 bg-accent-soft py-4">
        <p className="font-semibold">JavaScript is turned off in this browser.</p>
        <p>
          Your application needs it. Turn it on for this site in your browser's settings, or open the link in our
          message in another browser. You can also call or email us:
        </p>
        <SupportContacts />
      </div>
    </noscript>
  );
}
