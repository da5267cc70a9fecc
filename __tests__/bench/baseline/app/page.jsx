"use client";

import { useEffect, useState } from "react";

/** An empty page, with one input that says when it can be used. */
export default function Page() {
  const [isUsable, setUsable] = useState(false);
  useEffect(() => setUsable(true), []);
  return (
    <main>
      <input aria-label="Name" data-usable={isUsable} />
    </main>
  );
}
