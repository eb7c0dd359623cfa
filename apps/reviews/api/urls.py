from django.urls import path

from apps.reviews.api.reviews import ReviewViewSet

urlpatterns = [
    path("reviews", ReviewViewSet.as_view({"get": "list"})),
]
