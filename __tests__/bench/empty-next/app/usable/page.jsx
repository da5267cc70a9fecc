"use client";

import { useEffect, useState } from "react";

/** An uncontrolled input, which says when React has taken it over. */
export default function Page() {
  const [isUsable, setUsable] = useState(false);
  useEffect(() => setUsable(true), []);
  return <input aria-label="Name" data-usable={isUsable} />;
}
