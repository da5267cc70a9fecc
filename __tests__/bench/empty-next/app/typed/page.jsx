"use client";

import { useEffect, useState } from "react";

/** Uncontrolled inputs, nested as deep as a field of the product, since React walks up the tree at every event. */
export default function Page() {
  const [isUsable, setUsable] = useState(false);
  useEffect(() => setUsable(true), []);
  return (
    <main>
      <div>
        <form data-usable={isUsable}>
          {["text", "tel", "date"].map((type) => (
            <div key={type}>
              <div>
                <div>
                  <input aria-label={type} type={type} />
                </div>
              </div>
            </div>
          ))}
        </form>
      </div>
    </main>
  );
}
