"""The numbers of the public pages as claims that anybody can measure again."""
