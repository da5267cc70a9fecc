/** The id of the search's form. The filters of the list, which the server renders, belong to it as well. */
export const searchForm = "search-form";
