import { act, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { useOnDemand } from "@/components/ui/use-on-demand";

let arrive = (_: string) => {};

/** Arrives when the test says so, and then at once. A promise would arrive only after the effects. */
function load() {
  // biome-ignore lint/suspicious/noThenProperty: stands for a promise
  return { then: (take: typeof arrive) => (arrive = take) } as unknown as Promise<string>;
}

function Field({ name }: { name: string }) {
  return <p>{`${name}: ${useOnDemand(load, true) ?? "not yet"}`}</p>;
}

/** Lets it arrive after the field beside has rendered, and before the effect of that field. */
function Arrival() {
  useLayoutEffect(() => arrive("loaded"), []);
  return null;
}

test("a field that renders while another field's load arrives shows what was loaded", () => {
  render(<Field name="first" />);
  expect(screen.getByText("first: not yet")).toBeVisible();
  render(
    <>
      <Field name="second" />
      <Arrival />
    </>,
  );
  act(() => arrive("loaded"));
  expect(screen.getByText("first: loaded")).toBeVisible();
  expect(screen.getByText("second: loaded")).toBeVisible();
});
