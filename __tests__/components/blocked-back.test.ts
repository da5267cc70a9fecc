import { fireEvent, renderHook } from "@testing-library/react";
import { useBlockedBack } from "@/components/outcome/use-blocked-back";

let pushed: jest.SpyInstance;
beforeEach(() => {
  pushed = jest.spyOn(window.history, "pushState");
});

test("Back stays on the page, even in browsers that skip history entries pushed without a gesture", () => {
  const { unmount } = renderHook(() => useBlockedBack(true));
  expect(pushed).toHaveBeenCalledTimes(1);
  fireEvent.touchEnd(document.body);
  fireEvent.mouseDown(document.body);
  fireEvent.keyDown(document.body);
  expect(pushed).toHaveBeenCalledTimes(2);
  fireEvent.popState(window);
  expect(pushed).toHaveBeenCalledTimes(3);
  fireEvent.keyDown(document.body);
  expect(pushed).toHaveBeenCalledTimes(4);
  unmount();
  fireEvent.mouseDown(document.body);
  fireEvent.popState(window);
  expect(pushed).toHaveBeenCalledTimes(4);
});

test("no history entry is pushed before the application is known", () => {
  renderHook(() => useBlockedBack(false));
  fireEvent.mouseDown(document.body);
  expect(pushed).not.toHaveBeenCalled();
});
